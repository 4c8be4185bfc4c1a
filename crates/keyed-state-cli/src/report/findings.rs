use super::short;

/// Which of two figures is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The lower one, such as a time.
    Lower,
    /// The higher one, such as a rate.
    Higher,
}

impl Better {
    /// Returns how many times as good as `other` the figure `best` is.
    fn factor(self, best: f64, other: f64) -> f64 {
        match self {
            Self::Lower => other / best,
            Self::Higher => best / other,
        }
    }

    /// Returns whether `figure` is the best of `all`, or as good as that.
    #[must_use]
    pub fn is_close_to_best(self, figure: f64, all: &[Option<f64>]) -> bool {
        all.iter().flatten().all(|other| self.factor(*other, figure) < ALIKE)
    }
}

/// Below this ratio of the worst to the best, strategies count as equal: runs differ as much from one another.
const ALIKE: f64 = 1.25;

/// Says in a few words which of the named figures is best, by how much, and which is worst.
///
/// ```
/// use keyed_state_cli::report::{Better, compare};
///
/// let figures = [("generation", 2.0), ("point_deletes", 30.0), ("range_delete", 31.0)];
/// assert_eq!(
///     compare(Better::Lower, "µs", &figures),
///     "generation 2 µs, the others 30 to 31 µs (15 × to 15.5 ×)"
/// );
/// ```
#[must_use]
pub fn compare(better: Better, unit: &str, figures: &[(&str, f64)]) -> String {
    let mut figures: Vec<_> =
        figures.iter().copied().filter(|(_, figure)| figure.is_finite() && *figure > 0.0).collect();
    figures.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    if better == Better::Higher {
        figures.reverse();
    }
    let factor = |best, other| better.factor(best, other);
    match *figures {
        [] => "no figures".to_owned(),
        [(name, figure)] => format!("{name} {} {unit}", short(figure)),
        [(_, best), .., (_, worst)] if factor(best, worst) < ALIKE => {
            let (low, high) = (best.min(worst), best.max(worst));
            format!("all much alike, {} to {} {unit}", short(low), short(high))
        }
        [(name, best), (other, worst)] => format!(
            "{name} {} {unit}, {other} {} {unit} ({} ×)",
            short(best),
            short(worst),
            short(factor(best, worst))
        ),
        [(name, best), (_, second), .., (last, worst)] => {
            if factor(best, second) >= ALIKE {
                let (low, high) = (second.min(worst), second.max(worst));
                let (near, far) = (factor(best, second), factor(best, worst));
                format!(
                    "{name} {} {unit}, the others {} to {} {unit} ({} × to {} ×)",
                    short(best),
                    short(low),
                    short(high),
                    short(near),
                    short(far)
                )
            } else {
                let alike = figures.iter().take_while(|(_, figure)| factor(best, *figure) < ALIKE);
                let names: Vec<_> = alike.map(|(name, _)| *name).collect();
                format!(
                    "{} {} {unit}, {last} {} {unit} ({} ×)",
                    enumerate(&names),
                    short(best),
                    short(worst),
                    short(factor(best, worst))
                )
            }
        }
    }
}

/// Returns `a`, `a and b`, or `a, b and c`.
fn enumerate(names: &[&str]) -> String {
    match names {
        [one] => (*one).to_owned(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_names_best_and_worst_unless_they_are_alike() {
        let lower = |figures: &[(&str, f64)]| compare(Better::Lower, "µs", figures);
        assert_eq!(lower(&[]), "no figures");
        assert_eq!(lower(&[("a", f64::NAN), ("b", 0.0)]), "no figures");
        assert_eq!(lower(&[("a", 3.0)]), "a 3 µs");
        assert_eq!(lower(&[("a", 3.0), ("b", 3.3)]), "all much alike, 3 to 3.3 µs");
        assert_eq!(lower(&[("a", 6.0), ("b", 3.0)]), "b 3 µs, a 6 µs (2 ×)");
        let three = [("a", 6.0), ("b", 3.0), ("c", 3.1)];
        assert_eq!(lower(&three), "b and c 3 µs, a 6 µs (2 ×)");
        let four = [("d", 3.2), three[0], three[1], three[2]];
        assert_eq!(lower(&four), "b, c and d 3 µs, a 6 µs (2 ×)");
        assert_eq!(
            compare(Better::Higher, "/s", &three),
            "a 6 /s, the others 3 to 3.1 /s (1.94 × to 2 ×)"
        );
    }
}
