//! Figures and tables on the screen.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

/// Whether there are colours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    colours: bool,
}

impl Style {
    /// Colours on a screen, unless `NO_COLOR` is set; none in a file or a pipe.
    pub(super) fn of_stdout() -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Style { colours: io::stdout().is_terminal() && !unwanted }
    }

    #[cfg(test)]
    pub(super) fn plain() -> Self {
        Style { colours: false }
    }

    /// The title of a section and a remark beside it.
    pub(super) fn title(self, out: &mut dyn Write, title: &str, remark: &str) -> io::Result<()> {
        let (bold, dim, off) = if self.colours { ("\x1b[1;36m", "\x1b[2m", "\x1b[0m") } else { ("", "", "") };
        writeln!(out, "\n{bold}{title}{off}  {dim}{remark}{off}")
    }

    /// A bar of the length that `part` is of `whole`.
    fn bar(self, part: u64, whole: u128) -> String {
        let eighths = usize::try_from(u128::from(part) * 8 * BAR / whole.max(1)).unwrap_or(0);
        let bar = "█".repeat(eighths / 8) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
        if self.colours { format!("\x1b[33m{bar}\x1b[0m") } else { bar }
    }
}

/// Longest bar, in characters.
const BAR: u128 = 20;

/// A table: names to the left, figures to the right, a bar behind each row.
pub(super) struct Grid {
    head: Vec<&'static str>,
    rows: Vec<(Vec<String>, u64)>,
}

impl Grid {
    pub(super) fn new(head: &[&'static str]) -> Self {
        Grid { head: head.to_vec(), rows: Vec::new() }
    }

    /// A row; its bar shows what part `weight` is of all rows' weights.
    pub(super) fn row(&mut self, weight: u64, cells: Vec<String>) {
        self.rows.push((cells, weight));
    }

    /// Prints the `most` heaviest rows, heaviest first, and how many more there are.
    pub(super) fn print(mut self, out: &mut dyn Write, style: Style, most: usize) -> io::Result<()> {
        self.rows.sort_by_key(|(_, weight)| std::cmp::Reverse(*weight));
        let total: u128 = self.rows.iter().map(|(_, weight)| u128::from(*weight)).sum();
        let left_out = self.rows.len().saturating_sub(most);
        self.rows.truncate(most);
        let widths: Vec<usize> = (0..self.head.len())
            .map(|column| {
                let cells = self.rows.iter().map(|(cells, _)| cells[column].chars().count());
                cells.chain([self.head[column].len()]).max().unwrap_or(0)
            })
            .collect();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let mut line = String::from(" ");
            for (column, (cell, &width)) in cells.zip(&widths).enumerate() {
                let cell = if column == 0 { format!(" {cell:<width$}") } else { format!("  {cell:>width$}") };
                line.push_str(&cell);
            }
            line
        };
        writeln!(out, "{}", line(&mut self.head.iter().copied()))?;
        for (cells, weight) in &self.rows {
            let cells = line(&mut cells.iter().map(String::as_str));
            writeln!(out, "{}", format!("{cells}  {}", style.bar(*weight, total)).trim_end())?;
        }
        if left_out > 0 {
            writeln!(out, "  … and {left_out} more")?;
        }
        Ok(())
    }
}

/// `1,234,567`
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// How many a second, when `count` took `elapsed`.
pub(super) fn rate(count: u64, elapsed: Duration) -> String {
    let rate = u128::from(count) * 1_000_000 / elapsed.as_micros().max(1);
    thousands(u64::try_from(rate).unwrap_or(u64::MAX)) + "/s"
}

/// Three digits and a unit: `1.23 ms` of picoseconds.
pub(super) fn time(picos: u64) -> String {
    scaled(picos, &[("ps", 1000.0), ("ns", 1000.0), ("µs", 1000.0), ("ms", 1000.0), ("s", f64::INFINITY)])
}

/// Three digits and a unit: `1.23 MiB` of bytes.
pub(super) fn bytes(bytes: u64) -> String {
    scaled(bytes, &[("B", 1024.0), ("KiB", 1024.0), ("MiB", 1024.0), ("GiB", f64::INFINITY)])
}

/// Units from the smallest up, each with how many of it make the next.
fn scaled(number: u64, units: &[(&str, f64)]) -> String {
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    let mut value = number as f64;
    for (place, &(unit, next)) in units.iter().enumerate() {
        if value >= next {
            value /= next;
            continue;
        }
        let digits = match value {
            _ if place == 0 => 0,
            value if value < 9.995 => 2,
            value if value < 99.95 => 1,
            _ => 0,
        };
        return format!("{value:.digits$} {unit}");
    }
    number.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        assert_eq!([0, 12, 999, 1000, 1_234_567].map(thousands), ["0", "12", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0, 999, 1000, 12_345, 1_234_567, 999_000_000_000, 1_500_000_000_000, 1_234_000_000_000_000]
                .map(time),
            ["0 ps", "999 ps", "1.00 ns", "12.3 ns", "1.23 µs", "999 ms", "1.50 s", "1234 s"]
        );
        assert_eq!(rate(1000, Duration::from_millis(500)), "2,000/s");
        assert_eq!([0, 1023, 1024, 3 << 20].map(bytes), ["0 B", "1023 B", "1.00 KiB", "3.00 MiB"]);
    }

    #[test]
    fn the_heaviest_rows_first() {
        let mut grid = Grid::new(&["name", "count"]);
        for (name, weight) in [("small", 1), ("large", 3), ("none", 0)] {
            grid.row(weight, vec![name.to_owned(), weight.to_string()]);
        }
        let mut out = Vec::new();
        grid.print(&mut out, Style::plain(), 2).unwrap();
        let expected =
            "  name   count\n  large      3  ███████████████\n  small      1  █████\n  … and 1 more\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
