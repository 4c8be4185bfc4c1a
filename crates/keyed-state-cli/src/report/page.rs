use std::fmt::Write;

use super::{Chart, Table, escape};

/// A page: what was found, charts and numbers, and where they come from.
#[derive(Clone, Debug)]
pub struct Page {
    /// The title.
    pub title: String,
    /// What is measured and how, in a few sentences.
    pub lead: String,
    /// The parts.
    pub sections: Vec<Section>,
}

/// A part of a page.
#[derive(Clone, Debug)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// What is to be known about it.
    pub lead: String,
    /// What it shows.
    pub blocks: Vec<Block>,
}

/// A finding, with its chart and numbers.
#[derive(Clone, Debug)]
pub struct Block {
    /// What is measured.
    pub topic: String,
    /// What the figures say.
    pub finding: String,
    /// The chart, if there is one; without, the numbers are not folded up.
    pub chart: Option<Chart>,
    /// The numbers.
    pub table: Table,
    /// Whether a terminal shows it too.
    pub in_terminal: bool,
}

const STYLE: &str = include_str!("style.css");

impl Page {
    /// Returns the page as one file, which is well-formed XML too.
    #[must_use]
    pub fn html(&self) -> String {
        let title = escape(&self.title);
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\
             <meta name=\"color-scheme\" content=\"light dark\"/>\
             <link rel=\"icon\" href=\"data:,\"/>\
             <title>{title}</title><style>\n{STYLE}</style></head><body><main>\
             <h1>{title}</h1><p class=\"lead\">{}</p>\n",
            escape(&self.lead)
        );
        for (n, section) in self.sections.iter().enumerate() {
            section.write(n, &mut html);
        }
        html.push_str("</main></body></html>\n");
        html
    }

    /// Returns what a terminal shows of the page.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for section in &self.sections {
            let _ = writeln!(
                text,
                "\n{}\n{}",
                section.title,
                "═".repeat(section.title.chars().count())
            );
            for block in section.blocks.iter().filter(|block| block.in_terminal) {
                let _ = writeln!(text, "\n{}", block.topic);
                if !block.finding.is_empty() {
                    let _ = writeln!(text, "→ {}", block.finding);
                }
                let _ = writeln!(text, "{}", block.table.text());
            }
        }
        text
    }
}

impl Section {
    fn write(&self, number: usize, html: &mut String) {
        let _ = write!(html, "<section><h2>{}</h2>", escape(&self.title));
        if !self.lead.is_empty() {
            let _ = write!(html, "<p class=\"lead\">{}</p>", escape(&self.lead));
        }
        html.push_str("<div class=\"blocks\">\n");
        for (n, block) in self.blocks.iter().enumerate() {
            block.write(&format!("c{number}-{n}"), html);
        }
        html.push_str("</div></section>\n");
    }
}

impl Block {
    fn write(&self, id: &str, html: &mut String) {
        let (topic, finding) = (escape(&self.topic), escape(&self.finding));
        let wide = if self.chart.is_none() { " class=\"wide\"" } else { "" };
        let _ = write!(html, "<figure{wide}><figcaption>");
        // The finding is the title; where there is none, what is measured takes its place.
        let _ = match &*finding {
            "" => write!(html, "<h3>{topic}</h3>"),
            finding => write!(html, "<h3>{finding}</h3><p>{topic}</p>"),
        };
        html.push_str("</figcaption>");
        let table = self.table.html();
        let _ = match &self.chart {
            Some(chart) => {
                let svg = chart.svg(id, &self.finding, &self.topic);
                write!(html, "{svg}<details><summary>Numbers</summary>{table}</details>")
            }
            None => write!(html, "{table}"),
        };
        html.push_str("</figure>\n");
    }
}
