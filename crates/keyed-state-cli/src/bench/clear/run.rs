use std::{env, fmt::Write as _, path::Path, time::Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use keyed_state::fjall::FjallEngine;

use super::{
    ClearArgs, Contender, Effort, EngineFigures, EngineKind, Figures, OpenEngine, Workload, cost,
    guard, new_dir, page, reads, window,
};
use crate::{
    CliError,
    bench::Machine,
    output::{Output, print},
};

/// Measures, and writes what was asked for.
///
/// # Errors
///
/// [`CliError`]: for bad arguments and places that cannot be written before anything is measured, and for what a
/// backend reports.
pub fn run(args: &ClearArgs) -> Result<(), CliError> {
    args.check()?;
    let report = args.report.as_deref().map(|path| Output::open("the report", path)).transpose()?;
    let json = args.json.as_deref().filter(|_| !args.json_to_stdout());
    let json = json.map(|path| Output::open("the figures", path)).transpose()?;
    let system = env::temp_dir();
    let scratch = new_dir(args.dir.as_deref().unwrap_or(&system))?;

    let figures = measure(args, scratch.path())?;

    scratch.close().map_err(CliError::Cleanup)?;
    let page = page(&figures);
    let mut text = serde_json::to_string_pretty(&figures).map_err(|error| CliError::Write {
        what: "the figures",
        path: "JSON".to_owned(),
        source: error.into(),
    })?;
    text.push('\n');
    if let Some(json) = json {
        json.write(&text)?;
    }
    if let Some(report) = report {
        report.write(&page.html())?;
    }
    if args.json_to_stdout() {
        return print("the figures", &text);
    }
    let mut text = page.text();
    if let Some(path) = &args.report {
        let _ = writeln!(text, "\nWritten: {}", path.display());
    }
    print("the tables", &text)
}

fn measure(args: &ClearArgs, scratch: &Path) -> Result<Figures, CliError> {
    let (effort, start) = (args.effort(), Instant::now());
    let mut machine = Machine::look();
    let progress = MultiProgress::new();
    let mut engines = Vec::new();
    for kind in args.engines() {
        let place = Place { kind, scratch, effort: &effort, progress: &progress };
        engines.push(match kind {
            EngineKind::Fjall => place.measure::<FjallEngine>(&args.strategies)?,
            #[cfg(feature = "rocksdb")]
            EngineKind::Rocksdb => {
                place.measure::<keyed_state::rocksdb::RocksEngine>(&args.strategies)?
            }
            #[cfg(not(feature = "rocksdb"))]
            EngineKind::Rocksdb => continue,
        });
    }
    machine.look_again();
    Ok(Figures {
        command: command_line(),
        seconds: start.elapsed().as_secs_f64(),
        effort,
        strategies: args.strategies.iter().map(|one| one.name.clone()).collect(),
        machine,
        engines,
    })
}

/// Where and how an engine is measured.
#[derive(Clone, Copy)]
struct Place<'a> {
    kind: EngineKind,
    scratch: &'a Path,
    effort: &'a Effort,
    progress: &'a MultiProgress,
}

impl Place<'_> {
    fn measure<E: OpenEngine>(self, strategies: &[Contender]) -> Result<EngineFigures, CliError> {
        Ok(EngineFigures {
            engine: self.kind.to_string(),
            cost: self.one(strategies, "cost of a clear", cost::steps, cost::run::<E>)?,
            window: self.one(strategies, "window loop", window::steps, window::run::<E>)?,
            guard: self.one(strategies, "clear and get", guard::steps, guard::run::<E>)?,
            reads: self.one(strategies, "reads", reads::steps, reads::run::<E>)?,
        })
    }

    /// Runs one workload under a progress bar of its own.
    fn one<T>(
        self,
        strategies: &[Contender],
        name: &'static str,
        steps: impl Fn(&Workload<'_>) -> usize,
        run: impl Fn(&Workload<'_>) -> Result<T, CliError>,
    ) -> Result<T, CliError> {
        const TEMPLATE: &str = "{prefix:8} {msg:16} {wide_bar} {percent:>3} %  {elapsed_precise}";
        // `indicatif` itself draws nothing where standard error is not a terminal.
        let style = ProgressStyle::with_template(TEMPLATE).expect("the template is a valid one");
        let bar = self.progress.add(ProgressBar::no_length().with_style(style));
        bar.set_prefix(self.kind.to_string());
        bar.set_message(name);
        let Self { scratch, effort, .. } = self;
        let workload = Workload { name, scratch, effort, strategies, progress: &bar };
        bar.set_length(steps(&workload) as u64);
        let outcome = run(&workload);
        if outcome.is_ok() {
            bar.finish();
        } else {
            bar.abandon();
        }
        outcome
    }
}

/// Returns the command line as a shell takes it, with the program by its name.
fn command_line() -> String {
    let quoted = |text: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:@+%".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text
        } else {
            format!("'{}'", text.replace('\'', r"'\''"))
        }
    };
    let arguments = env::args_os().skip(1).map(|text| quoted(text.to_string_lossy().into_owned()));
    std::iter::once("keyed-state".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}
