//! A table, as Markdown or CSV.

/// A table with a title; the first column is text, the others are numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// The title.
    pub(crate) title: String,
    /// A note for the reader.
    pub(crate) note: String,
    /// The names of the columns.
    pub(crate) head: Vec<String>,
    /// The rows, as wide as `head`.
    pub(crate) rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub(crate) fn new(title: &str, note: &str, head: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let head = head.into_iter().map(Into::into).collect();
        Self { title: title.to_owned(), note: note.to_owned(), head, rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, row: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }

    /// The table in Markdown, with aligned columns.
    pub(crate) fn markdown(&self) -> String {
        let cell = |text: &String| text.replace('|', "\\|");
        let lines: Vec<Vec<String>> =
            std::iter::once(&self.head).chain(&self.rows).map(|row| row.iter().map(cell).collect()).collect();
        let width = |column: usize| {
            lines
                .iter()
                .filter_map(|line| line.get(column))
                .map(|c| c.chars().count())
                .max()
                .unwrap_or(0)
                .max(3)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut out = format!("### {}\n\n", self.title);
        if !self.note.is_empty() {
            out += &format!("{}\n\n", self.note);
        }
        for (number, line) in lines.iter().enumerate() {
            let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
                if column == 0 { format!("{cell:width$}") } else { format!("{cell:>width$}") }
            });
            out += &format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
            if number == 0 {
                let rule = widths.iter().enumerate().map(|(column, &width)| {
                    if column == 0 { "-".repeat(width) } else { "-".repeat(width - 1) + ":" }
                });
                out += &format!("| {} |\n", rule.collect::<Vec<_>>().join(" | "));
            }
        }
        out + "\n"
    }

    /// The table as CSV (RFC 4180), each line with the table's title first.
    pub(crate) fn csv(&self) -> String {
        let line = |first: &str, cells: &[String]| {
            let cells = std::iter::once(first).chain(cells.iter().map(String::as_str)).map(quoted);
            cells.collect::<Vec<_>>().join(",") + "\n"
        };
        let rows = self.rows.iter().map(|row| line(&self.title, row));
        std::iter::once(line("table", &self.head)).chain(rows).collect()
    }
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_aligned_and_csv_is_quoted() {
        let mut table = Table::new("t", "", ["case", "n"]);
        table.row(["a,b", "12"]);
        assert_eq!(table.markdown(), "### t\n\n| case |   n |\n| ---- | --: |\n| a,b  |  12 |\n\n");
        assert_eq!(table.csv(), "table,case,n\nt,\"a,b\",12\n");
    }
}
