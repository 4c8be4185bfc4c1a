use std::{path::Path, str::FromStr};

use keyed_state::{AnyBackend, BackendOptions, ErrorKind};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use tempfile::TempDir;

use crate::RunError;

/// Where state lives: a backend by name, or by URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// On the heap.
    Memory,
    /// In a directory that is removed at the end, in the engine of this URL scheme.
    Temporary(&'static str),
    /// Where the URL says.
    Url(String),
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "memory" => Ok(Self::Memory),
            "fjall" => Ok(Self::Temporary("fjall")),
            "rocksdb" => Ok(Self::Temporary("rocksdb")),
            url if url.contains(':') => Ok(Self::Url(url.to_owned())),
            _ => Err("expected memory, fjall, rocksdb or a URL".to_owned()),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Memory => "memory",
            Self::Temporary(scheme) => scheme,
            Self::Url(url) => url,
        })
    }
}

/// An open backend, and the temporary directory under it if it has one.
#[derive(Debug)]
pub struct Store {
    /// The backend, with aircraft for keys.
    pub backend: AnyBackend<String>,
    /// To be removed once the backend is closed.
    pub directory: Option<TempDir>,
}

impl Store {
    /// Opens a backend.
    ///
    /// # Errors
    ///
    /// [`RunError`] for a backend that is unknown, not built in, or does not open, and for want of a temporary directory.
    pub fn open(place: &Place) -> Result<Self, RunError> {
        let (url, directory) = match place {
            Place::Memory => ("memory:".to_owned(), None),
            Place::Url(url) => (url.clone(), None),
            Place::Temporary(scheme) => {
                let directory = tempfile::Builder::new()
                    .prefix("flights-")
                    .tempdir()
                    .map_err(RunError::TemporaryDirectory)?;
                (url_of(scheme, &directory.path().join("state"))?, Some(directory))
            }
        };
        let backend =
            keyed_state::open(&url, BackendOptions::new()).map_err(|error| match error.kind() {
                // The one thing that opening can find unsupported is a scheme whose feature is off.
                ErrorKind::Unsupported => RunError::NotBuiltIn(error),
                _ => error.into(),
            })?;
        Ok(Self { backend, directory })
    }
}

fn url_of(scheme: &str, path: &Path) -> Result<String, RunError> {
    const KEPT: &AsciiSet =
        &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');
    let text = path.to_str().ok_or_else(|| RunError::TemporaryName { path: path.to_path_buf() })?;
    Ok(format!("{scheme}:{}", utf8_percent_encode(text, KEPT)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_urls_are_places() {
        assert_eq!("memory".parse(), Ok(Place::Memory));
        assert_eq!("rocksdb".parse(), Ok(Place::Temporary("rocksdb")));
        assert_eq!("fjall:/a".parse(), Ok(Place::Url("fjall:/a".to_owned())));
        assert!("sqlite".parse::<Place>().is_err());
        for name in ["memory", "fjall", "rocksdb", "fjall:///a?x=1"] {
            assert_eq!(name.parse::<Place>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn any_path_can_be_put_in_a_url() {
        assert_eq!(
            url_of("fjall", Path::new("/tmp/a b?#%/c")).unwrap(),
            "fjall:/tmp/a%20b%3F%23%25/c"
        );
    }
}
