use std::fmt::Write;

use super::{Style, escape};

/// The body of a drawing, and how far down it goes.
#[derive(Debug, Default)]
pub(crate) struct Svg {
    body: String,
    bottom: f64,
}

type Point = (f64, f64);

impl Svg {
    pub(crate) fn text(&mut self, (x, y): Point, anchor: &str, class: &str, text: &str) {
        let text = escape(text);
        self.add(y + 4.0, format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" class=\"{class}\">{text}</text>"
        ));
    }

    pub(crate) fn line(&mut self, class: &str, (x1, y1): Point, (x2, y2): Point) {
        self.add(y1.max(y2), format_args!(
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        ));
    }

    pub(crate) fn polyline(&mut self, style: Style, points: &[Point]) {
        if points.len() < 2 {
            return;
        }
        let places: Vec<_> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let bottom = points.iter().map(|point| point.1).fold(0.0, f64::max);
        let (class, places) = (style.class(), places.join(" "));
        self.add(bottom, format_args!("<polyline class=\"l {class}\" points=\"{places}\"/>"));
    }

    pub(crate) fn bar(&mut self, style: Style, (x, y): Point, (width, height): Point) {
        let class = style.class();
        self.add(y + height, format_args!(
            "<rect class=\"m {class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        ));
    }

    /// Draws the style's own shape around `(x, y)`.
    pub(crate) fn marker(&mut self, style: Style, (x, y): Point) {
        let shape = match style {
            Style::Faint => return,
            Style::Strong(n) => match n % 6 {
                0 => "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
                1 => "M-3.5 -3.5h7v7h-7z",
                2 => "M0 -4.6L4.6 3.6H-4.6z",
                3 => "M0 -5L5 0L0 5L-5 0z",
                4 => "M-4.6 -3.6H4.6L0 4.6z",
                _ => "M-1.5 -4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
            },
        };
        let class = style.class();
        self.add(
            y + 5.0,
            format_args!(
                "<path class=\"m {class}\" transform=\"translate({x:.1} {y:.1})\" d=\"{shape}\"/>"
            ),
        );
    }

    /// Returns the height and the elements.
    pub(crate) fn finish(self) -> (f64, String) {
        (self.bottom.ceil() + 4.0, self.body)
    }

    fn add(&mut self, bottom: f64, element: std::fmt::Arguments<'_>) {
        self.bottom = self.bottom.max(bottom);
        // Writing to a string does not fail.
        let _ = self.body.write_fmt(element);
    }
}
