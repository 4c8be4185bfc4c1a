use std::path::{Path, PathBuf};

use clap::Args;

use super::{Contender, Effort, EngineKind};
use crate::CliError;

/// The options of `bench clear`.
#[derive(Debug, Args)]
pub struct ClearArgs {
    /// The engine to measure; may be given several times [default: all that are built in]
    #[arg(long = "engine", value_enum, value_name = "ENGINE", value_delimiter = ',')]
    pub engines: Vec<EngineKind>,

    /// About a minute in all; the default
    #[arg(long)]
    pub quick: bool,

    /// About ten minutes in all
    #[arg(long, conflicts_with = "quick")]
    pub full: bool,

    /// Next to nothing of each, for tests: the figures mean nothing
    #[arg(long, hide = true, conflicts_with_all = ["quick", "full"])]
    pub tiny: bool,

    /// Write a page with charts, which needs nothing but itself
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,

    /// Write the figures as JSON; `-` for standard output, in place of the tables
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// The strategies to compare, with commas between them: `generation`, `point_deletes`, `range_delete`,
    /// `adaptive`, `adaptive:THRESHOLD`
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "generation,point_deletes,range_delete,adaptive"
    )]
    pub strategies: Vec<Contender>,

    /// Where to put the databases while they are measured [default: the system's directory for temporary files]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

impl ClearArgs {
    /// Checks what `clap` cannot.
    ///
    /// # Errors
    ///
    /// [`CliError::Usage`], which names the argument and what was expected.
    pub fn check(&self) -> Result<(), CliError> {
        let usage = |text: String| Err(CliError::Usage(text));
        if let Some(engine) = self.engines.iter().find(|engine| !engine.is_built_in()) {
            return usage(format!(
                "--engine {engine}: not built in; build with `--features {engine}`"
            ));
        }
        if let Some(twice) = first_twice(&self.strategies) {
            return usage(format!("--strategies: {twice} is there twice; expected each once"));
        }
        if self.report.as_deref() == Some(Path::new("-")) {
            return usage("--report -: expected a file; `-` is for --json alone".to_owned());
        }
        if let (Some(report), Some(json)) = (&self.report, &self.json)
            && is_same_file(report, json)
        {
            let path = report.display();
            return usage(format!("--report and --json both name {path}; expected two files"));
        }
        Ok(())
    }

    pub(crate) fn engines(&self) -> Vec<EngineKind> {
        let all = EngineKind::ALL.into_iter().filter(|engine| engine.is_built_in());
        all.filter(|engine| self.engines.is_empty() || self.engines.contains(engine)).collect()
    }

    pub(crate) fn effort(&self) -> Effort {
        match (self.full, self.tiny) {
            (true, _) => Effort::full(),
            (_, true) => Effort::tiny(),
            _ => Effort::quick(),
        }
    }

    pub(crate) fn json_to_stdout(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }
}

fn first_twice(strategies: &[Contender]) -> Option<&Contender> {
    let is_repeated = |(n, strategy): &(usize, &Contender)| {
        strategies[..*n].iter().any(|earlier| earlier.strategy == strategy.strategy)
    };
    strategies.iter().enumerate().find(is_repeated).map(|(_, strategy)| strategy)
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    // The files need not exist yet, so that their folders are what can be compared.
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    one == other || place(one).is_some_and(|one| Some(one) == place(other))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::{BenchCommand, Cli, Command};

    fn args(more: &[&str]) -> Result<ClearArgs, String> {
        let all = ["keyed-state", "bench", "clear"].iter().chain(more);
        let cli = Cli::try_parse_from(all).map_err(|error| error.to_string())?;
        let Command::Bench { bench: BenchCommand::Clear(args) } = cli.command;
        args.check().map_err(|error| error.to_string())?;
        Ok(args)
    }

    #[test]
    fn without_arguments_everything_that_is_built_in_runs_quickly() {
        let args = args(&[]).unwrap();
        assert_eq!(args.effort().name, "quick");
        assert_eq!(args.engines().len(), if cfg!(feature = "rocksdb") { 2 } else { 1 });
        let names: Vec<_> = args.strategies.iter().map(|strategy| &*strategy.name).collect();
        assert_eq!(names, ["generation", "point_deletes", "range_delete", "adaptive"]);
    }

    #[test]
    fn bad_arguments_are_named_with_what_was_expected() {
        let cases: [(&[&str], &str); 7] = [
            (&["--strategies", "generation,points"], "unknown clear strategy \"points\""),
            (&["--strategies", "adaptive,adaptive:1024"], "adaptive:1024 is there twice"),
            (&["--strategies", ""], "unknown clear strategy \"\""),
            (&["--engine", "sqlite"], "possible values: fjall, rocksdb"),
            (&["--quick", "--full"], "cannot be used with"),
            (&["--report", "-"], "--report -: expected a file"),
            (&["--report", "a", "--json", "./a"], "--report and --json both name a"),
        ];
        for (given, expected) in cases {
            let error = args(given).unwrap_err();
            assert!(error.contains(expected), "{given:?}: {error}");
        }
    }

    #[cfg(not(feature = "rocksdb"))]
    #[test]
    fn an_engine_that_is_not_built_in_says_how_to_build_it() {
        let error = args(&["--engine", "rocksdb"]).unwrap_err();
        assert_eq!(error, "--engine rocksdb: not built in; build with `--features rocksdb`");
    }
}
