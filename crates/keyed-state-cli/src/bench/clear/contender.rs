use std::{fmt, str::FromStr};

use keyed_state::{ClearStrategy, Error};

/// A strategy under the name that it was given on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    /// The name.
    pub name: String,
    /// What it stands for.
    pub strategy: ClearStrategy,
}

impl FromStr for Contender {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Ok(Self { name: text.to_owned(), strategy: text.parse()? })
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
