//! Line charts as SVG.

use std::path::Path;

use plotters::prelude::*;

/// One line of a chart.
#[derive(Clone, Debug)]
pub struct Line {
    /// What the legend calls it.
    pub name: String,
    /// Points in ascending x.
    pub points: Vec<(f64, f64)>,
}

/// Writes a line chart to `path`.
///
/// # Errors
///
/// The drawing library's, among them those of writing the file.
pub fn lines(
    path: &Path,
    title: &str,
    (x_label, y_label): (&str, &str),
    lines: &[Line],
) -> Result<(), Box<dyn std::error::Error>> {
    let points = || lines.iter().flat_map(|line| &line.points);
    let x_max = points().map(|point| point.0).fold(1.0, f64::max);
    let y_max = points().map(|point| point.1).fold(1.0, f64::max) * 1.05;
    let area = SVGBackend::new(path, (760, 380)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(38)
        .y_label_area_size(56)
        // A third more, for the legend.
        .build_cartesian_2d(0.0..x_max * 1.35, 0.0..y_max)?;
    chart.configure_mesh().x_desc(x_label).y_desc(y_label).light_line_style(WHITE).draw()?;
    let colours = [
        RGBColor(0, 114, 178),
        RGBColor(213, 94, 0),
        RGBColor(0, 158, 115),
        RGBColor(204, 121, 167),
    ];
    for (line, colour) in lines.iter().zip(colours.into_iter().cycle()) {
        chart
            .draw_series(LineSeries::new(line.points.iter().copied(), colour.stroke_width(2)))?
            .label(&line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    area.present()?;
    Ok(())
}
