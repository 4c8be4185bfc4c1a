use crate::{
    bench::clear::Figures,
    report::{Block, Table, short},
};

/// How to have the run again, and what it ran on.
pub(super) fn block(figures: &Figures) -> Block {
    let machine = &figures.machine;
    let mut rows = Vec::new();
    let mut fact = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            rows.push(vec![name.to_owned(), value]);
        }
    };
    fact("command", Some(figures.command.clone()));
    fact("started", Some(machine.started.clone()));
    fact("took", Some(format!("{} s, {}", short(figures.seconds), figures.effort.name)));
    fact("cores", machine.cores.map(|cores| cores.to_string()));
    fact("processor", machine.processor.clone());
    fact("system", Some(machine.system.clone()));
    fact("kernel", machine.kernel.clone());
    fact("load average before", machine.load_before.map(short));
    fact("load average after", machine.load_after.map(short));
    fact("keyed-state", Some(machine.version.to_owned()));
    fact("fjall", machine.fjall.map(ToOwned::to_owned));
    fact("RocksDB binding", machine.rocksdb.map(ToOwned::to_owned));
    fact("compiler", Some(machine.rustc.to_owned()));
    let optimized = if machine.optimized { "yes" } else { "no: the figures mean nothing" };
    fact("optimised", Some(optimized.to_owned()));
    Block {
        topic: "Command and machine".to_owned(),
        finding: String::new(),
        chart: None,
        table: Table { header: vec!["fact".to_owned(), "value".to_owned()], rows },
        in_terminal: false,
    }
}
