use std::{collections::BTreeSet, process::Command};

use anyhow::{Result, ensure};

use crate::command::output;

/// Checks by `cargo tree` which crates a selection of packages and features brings in.
#[derive(Debug)]
pub(crate) struct DependencyCheck {
    /// What is selected, in words.
    pub(crate) title: &'static str,
    /// The selection, as arguments to `cargo tree`.
    pub(crate) selection: &'static [&'static str],
    /// Crates that must be there; without one, a check of absence could pass on a typing error.
    pub(crate) present: &'static [&'static str],
    pub(crate) absent: &'static [&'static str],
}

impl DependencyCheck {
    /// Runs `command`, a bare Cargo command, and compares.
    pub(crate) fn run(&self, mut command: Command) -> Result<()> {
        command.args(["tree", "--prefix", "none", "--format", "{p}"]).args(self.selection);
        let tree = output(&mut command)?;
        self.compare(&tree)?;
        eprintln!("    {}: as it should be", self.title);
        Ok(())
    }

    fn compare(&self, tree: &str) -> Result<()> {
        let found = crates(tree);
        for name in self.present {
            ensure!(found.contains(name), "{}: {name} is not among the dependencies", self.title);
        }
        for name in self.absent {
            ensure!(!found.contains(name), "{}: {name} is among the dependencies", self.title);
        }
        Ok(())
    }
}

/// Reads the names from lines such as `fjall v3.1.13` and `core v0.1.0 (/path) (*)`.
fn crates(tree: &str) -> BTreeSet<&str> {
    tree.lines().filter_map(|line| line.split_whitespace().next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str =
        "keyed-state v0.1.0 (/w/crates/keyed-state)\nfjall v3.1.13\n\nfjall v3.1.13 (*)\n";

    #[test]
    fn presence_and_absence_are_both_checked() {
        let check = |present, absent| {
            DependencyCheck { title: "it", selection: &[], present, absent }.compare(TREE)
        };
        assert!(check(&["fjall"], &["librocksdb-sys"]).is_ok());
        assert!(check(&["librocksdb-sys"], &[]).unwrap_err().to_string().contains("is not among"));
        assert!(check(&[], &["fjall"]).unwrap_err().to_string().contains("is among"));
        assert!(check(&["fjal"], &["keyed"]).is_err(), "names are compared whole");
    }
}
