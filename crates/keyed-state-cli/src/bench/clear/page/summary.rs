use super::{Strategies, distinct, entries, grouped, header, names};
use crate::{
    bench::clear::{EngineFigures, ReadState, WindowKeys},
    report::{Better, Block, Table, short},
};

/// A question, which figure is the better one, and each strategy's figure.
type Question = (String, Better, Vec<Option<f64>>);

/// The figures that decide, of one engine.
pub(super) fn block(engine: &EngineFigures, strategies: &Strategies<'_>) -> Block {
    let names = names(strategies);
    let questions = questions(engine, &names);
    let mut stars = vec![0_usize; names.len()];
    let mut rows = Vec::new();
    for (question, better, figures) in &questions {
        let mut row = vec![question.clone()];
        for (figure, stars) in figures.iter().zip(&mut stars) {
            let is_best = figure.is_some_and(|figure| better.is_close_to_best(figure, figures));
            *stars += usize::from(is_best);
            let figure = figure.map_or_else(|| "–".to_owned(), short);
            row.push(if is_best { format!("★ {figure}") } else { figure });
        }
        rows.push(row);
    }
    let most = stars.iter().max().copied().unwrap_or_default();
    let best: Vec<_> = names
        .iter()
        .zip(&stars)
        .filter(|(_, stars)| **stars == most)
        .map(|(name, _)| *name)
        .collect();
    Block {
        topic: "The figures that decide".to_owned(),
        finding: format!(
            "{}: {} best or close to it in {most} of {} rows",
            engine.engine,
            best.join(" and "),
            questions.len()
        ),
        chart: None,
        table: Table { header: header("", &names), rows },
        in_terminal: true,
    }
}

fn questions(engine: &EngineFigures, names: &[&str]) -> Vec<Question> {
    let mut questions = Vec::new();
    let mut ask = |text: String, better, figure: &dyn Fn(&str) -> Option<f64>| {
        questions.push((text, better, names.iter().map(|name| figure(name)).collect()));
    };
    let sizes = distinct(engine.cost.iter().map(|cost| cost.entries));
    for size in sizes.into_iter().filter(|size| [10, 10_000].contains(size)) {
        let cost = |name: &str| {
            engine.cost.iter().find(|cost| cost.entries == size && cost.strategy == name)
        };
        let size = entries(size);
        ask(format!("clear of {size}, the call, µs"), Better::Lower, &|name| cost(name)?.call_us);
        ask(format!("clear of {size}, all included, µs"), Better::Lower, &|name| {
            Some(cost(name)?.wall_us)
        });
        ask(format!("clear of {size}, processor, µs"), Better::Lower, &|name| cost(name)?.cpu_us);
    }
    for keys in [WindowKeys::Fresh, WindowKeys::Reused] {
        let window = |name: &str| {
            let is_it = |keys_of, entries| keys_of == keys && entries == 10;
            engine.window.iter().find(|one| is_it(one.keys, one.entries) && one.strategy == name)
        };
        let text = format!("window loop, {} keys, 10 entries", keys.name());
        ask(format!("{text}, loops/s"), Better::Higher, &|name| {
            Some(window(name)?.median_loops_per_s)
        });
        ask(format!("{text}, longest, ms"), Better::Lower, &|name| {
            Some(window(name)?.max_pause_ms)
        });
    }
    let last = engine.guard.iter().map(|one| one.outstanding).max().unwrap_or_default();
    ask(format!("get after {} clears, µs", grouped(last)), Better::Lower, &|name| {
        let is_it = |outstanding| outstanding == last;
        let mut guard = engine.guard.iter().filter(|one| is_it(one.outstanding));
        Some(guard.find(|one| one.strategy == name)?.get_us)
    });
    ask("get, half of the maps cleared and flushed, ns".to_owned(), Better::Lower, &|name| {
        let is_it = |state, share| state == ReadState::Flushed && share == 50;
        let mut reads = engine.reads.iter().filter(|one| is_it(one.state, one.cleared_percent));
        Some(reads.find(|one| one.strategy == name)?.get_ns)
    });
    questions
}
