use std::fmt::Write;

use comfy_table::{CellAlignment, ContentArrangement, TableComponent, presets};

use super::escape;

/// A table whose first column names the rows and whose others hold figures.
#[derive(Clone, Debug)]
pub struct Table {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows, each as long as the header.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// Returns the table for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        let mut table = comfy_table::Table::new();
        table
            .load_preset(presets::NOTHING)
            .set_style(TableComponent::HeaderLines, '─')
            .set_style(TableComponent::MiddleHeaderIntersections, '─')
            .set_content_arrangement(ContentArrangement::Disabled)
            .set_header(&self.header)
            .add_rows(&self.rows);
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table.to_string()
    }

    /// Returns the table for a page.
    #[must_use]
    pub fn html(&self) -> String {
        let mut html = String::from("<div class=\"scroll\"><table><thead><tr>");
        for name in &self.header {
            // Names of strategies may break where words end, or four of them are wider than a phone.
            let name = escape(name).replace('_', "_<wbr/>");
            let _ = write!(html, "<th scope=\"col\">{name}</th>");
        }
        html.push_str("</tr></thead><tbody>");
        for row in &self.rows {
            html.push_str("<tr>");
            for (n, cell) in row.iter().enumerate() {
                let cell = escape(cell);
                let _ = match n {
                    0 => write!(html, "<th scope=\"row\">{cell}</th>"),
                    _ => write!(html, "<td>{cell}</td>"),
                };
            }
            html.push_str("</tr>");
        }
        html.push_str("</tbody></table></div>");
        html
    }
}
