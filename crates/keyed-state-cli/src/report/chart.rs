use super::{Axis, Scale, escape, short, svg::Svg};

/// How a series looks: colour, dash and marker, so that colour is not all that tells lines apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// One of the strong ones, by number; they come again after six.
    Strong(usize),
    /// A thin grey line, for what others are compared with.
    Faint,
}

impl Style {
    /// Returns the class that the page's style sheet knows.
    pub(crate) fn class(self) -> String {
        match self {
            Self::Strong(n) => format!("s{}", n % 6),
            Self::Faint => "sf".to_owned(),
        }
    }
}

/// A line of a chart.
#[derive(Clone, Debug)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// How it looks.
    pub style: Style,
    /// Points in ascending x; those without a place on the axes are left out.
    pub points: Vec<(f64, f64)>,
}

/// A chart of lines.
#[derive(Clone, Debug)]
pub struct Lines {
    /// What the x axis shows, with its unit.
    pub x_label: String,
    /// The x axis.
    pub x_scale: Scale,
    /// Where the x axis has ticks, if not at round numbers.
    pub x_ticks: Option<Vec<f64>>,
    /// What the y axis shows, with its unit.
    pub y_label: String,
    /// The y axis.
    pub y_scale: Scale,
    /// The lines.
    pub series: Vec<Series>,
}

/// A chart of horizontal bars in groups, on a logarithmic axis.
#[derive(Clone, Debug)]
pub struct Bars {
    /// What the axis shows, with its unit.
    pub label: String,
    /// Names of the series, and how they look.
    pub series: Vec<(String, Style)>,
    /// Names of the groups, and a figure for each series.
    pub groups: Vec<(String, Vec<f64>)>,
}

/// A chart.
#[derive(Clone, Debug)]
pub enum Chart {
    /// Lines.
    Lines(Lines),
    /// Bars.
    Bars(Bars),
}

/// As wide as a phone, on which text then has its true size.
const WIDTH: f64 = 360.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 24.0;
const HEIGHT: f64 = 180.0;
const LEGEND_ROW: f64 = 18.0;

impl Chart {
    /// Draws the chart; `title` and `description` are for those who do not see it, `id` must be unique on the page.
    #[must_use]
    pub fn svg(&self, id: &str, title: &str, description: &str) -> String {
        let svg = match self {
            Self::Lines(lines) => lines.draw(),
            Self::Bars(bars) => bars.draw(),
        };
        let (height, body) = svg.finish();
        format!(
            "<svg role=\"img\" aria-labelledby=\"{id}-t {id}-d\" viewBox=\"0 0 {WIDTH} {height}\" \
             xmlns=\"http://www.w3.org/2000/svg\"><title id=\"{id}-t\">{}</title>\
             <desc id=\"{id}-d\">{}</desc>{body}</svg>",
            escape(title),
            escape(description)
        )
    }
}

impl Lines {
    fn draw(&self) -> Svg {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let ticks = self.x_ticks.clone().unwrap_or_default();
        let x = Axis::new(self.x_scale, points().map(|point| point.0).chain(ticks));
        let y = Axis::new(self.y_scale, points().map(|point| point.1));
        let (across, bottom) = (WIDTH - LEFT - RIGHT, TOP + HEIGHT);
        let at = |(px, py): (f64, f64)| {
            Some((LEFT + x.place(px)? * across, bottom - y.place(py)? * HEIGHT))
        };
        let mut svg = Svg::default();
        svg.text((4.0, 13.0), "start", "label", &self.y_label);
        for (place, label) in y.labels() {
            let height = bottom - place * HEIGHT;
            svg.line("grid", (LEFT, height), (LEFT + across, height));
            svg.text((LEFT - 5.0, height + 4.0), "end", "tick", &label);
        }
        let labels: Vec<_> = match &self.x_ticks {
            Some(ticks) => {
                let label = |tick: &f64| Some((x.place(*tick)?, short(*tick)));
                ticks.iter().filter_map(label).collect()
            }
            None => x.labels().collect(),
        };
        for (place, label) in labels {
            let right = LEFT + place * across;
            svg.line("grid", (right, bottom), (right, bottom + 4.0));
            svg.text((right, bottom + 17.0), "middle", "tick", &label);
        }
        svg.line("base", (LEFT, bottom), (LEFT + across, bottom));
        svg.text((LEFT + across / 2.0, bottom + 34.0), "middle", "label", &self.x_label);
        for series in &self.series {
            let places: Vec<_> = series.points.iter().copied().filter_map(at).collect();
            svg.polyline(series.style, &places);
            for place in places {
                svg.marker(series.style, place);
            }
        }
        let names = self.series.iter().map(|series| (&*series.name, series.style));
        legend(&mut svg, bottom + 54.0, names);
        svg
    }
}

impl Bars {
    fn draw(&self) -> Svg {
        const BAR: f64 = 13.0;
        const GROUP: f64 = 22.0;
        let axis =
            Axis::new(Scale::Log, self.groups.iter().flat_map(|group| group.1.iter().copied()));
        // A bar of the smallest figure is to be seen too, and the largest has its figure beside it.
        let (from, across) = (24.0, WIDTH - 24.0 - 56.0);
        let mut svg = Svg::default();
        let mut y = 4.0;
        for (name, figures) in &self.groups {
            svg.text((4.0, y + 13.0), "start", "label", name);
            y += GROUP;
            for ((_, style), figure) in self.series.iter().zip(figures) {
                if let Some(place) = axis.place(*figure) {
                    let right = from + place * across;
                    svg.marker(*style, (10.0, y + BAR / 2.0));
                    svg.bar(*style, (18.0, y + 1.0), (right - 18.0, BAR - 3.0));
                    svg.text((right + 4.0, y + BAR - 2.5), "start", "tick", &short(*figure));
                }
                y += BAR;
            }
            y += 4.0;
        }
        svg.line("base", (18.0, y + 2.0), (from + across, y + 2.0));
        for (place, label) in axis.labels() {
            let right = from + place * across;
            svg.line("grid", (right, y + 2.0), (right, y + 6.0));
            svg.text((right, y + 18.0), "middle", "tick", &label);
        }
        svg.text((from + across / 2.0, y + 35.0), "middle", "label", &self.label);
        let names = self.series.iter().map(|(name, style)| (&**name, *style));
        legend(&mut svg, y + 54.0, names);
        svg
    }
}

fn legend<'a>(svg: &mut Svg, top: f64, names: impl Iterator<Item = (&'a str, Style)>) {
    let (mut x, mut y) = (LEFT, top);
    for (n, (name, style)) in names.enumerate() {
        if n > 0 && n % 2 == 0 {
            (x, y) = (LEFT, y + LEGEND_ROW);
        }
        svg.polyline(style, &[(x, y), (x + 30.0, y)]);
        svg.marker(style, (x + 15.0, y));
        svg.text((x + 36.0, y + 4.0), "start", "tick", name);
        x += (WIDTH - LEFT - RIGHT) / 2.0;
    }
}
