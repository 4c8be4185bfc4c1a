use std::io::{self, BufRead};

/// The longest line that is kept, in bytes: some fifty times the longest real one.
pub(crate) const MAX_LINE_BYTES: usize = 4096;

/// Reads lines of bounded length, so that no input can fill the memory.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    number: u64,
}

/// What [`Lines::advance`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A whole line, in [`Lines::text`].
    Whole,
    /// A line of more than [`MAX_LINE_BYTES`] bytes; it was passed over.
    TooLong,
    /// No further line.
    End,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(input: R) -> Self {
        Self { input, line: Vec::new(), number: 0 }
    }

    /// Moves to the next line. Only `\n` ends one; a `\r` before it belongs to the end.
    pub(crate) fn advance(&mut self) -> io::Result<Line> {
        self.line.clear();
        let mut length = 0;
        loop {
            let available = match self.input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                available => available?,
            };
            let end = available.iter().position(|byte| *byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            length += part.len();
            let room = (MAX_LINE_BYTES + 1).saturating_sub(self.line.len());
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            let (taken, at_end) = (part.len() + usize::from(end.is_some()), available.is_empty());
            self.input.consume(taken);
            if end.is_some() || at_end {
                if at_end && length == 0 {
                    return Ok(Line::End);
                }
                break;
            }
        }
        self.number += 1;
        if length > self.line.len() {
            return Ok(Line::TooLong);
        }
        if self.line.last() == Some(&b'\r') {
            self.line.pop();
        }
        Ok(if self.line.len() > MAX_LINE_BYTES { Line::TooLong } else { Line::Whole })
    }

    /// Returns the current line without its end.
    pub(crate) fn text(&self) -> &[u8] {
        &self.line
    }

    /// Returns the number of the current line, counted from 1; 0 before the first.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads through a buffer of `capacity` bytes, so that lines straddle it in every way.
    fn lines(input: &[u8], capacity: usize) -> Vec<(Line, Vec<u8>)> {
        let mut lines = Lines::new(io::BufReader::with_capacity(capacity, input));
        let mut found = Vec::new();
        loop {
            match lines.advance().unwrap() {
                Line::End => return found,
                Line::TooLong => found.push((Line::TooLong, Vec::new())),
                Line::Whole => found.push((Line::Whole, lines.text().to_vec())),
            }
        }
    }

    #[test]
    fn every_kind_of_line_end_is_dropped() {
        for capacity in [1, 2, 3, 64] {
            let found = lines(b"a\nb\r\n\n\r\nc", capacity);
            let texts: Vec<&[u8]> = found.iter().map(|(_, text)| text.as_slice()).collect();
            assert_eq!(texts, [&b"a"[..], b"b", b"", b"", b"c"]);
            assert!(lines(b"", capacity).is_empty());
            assert_eq!(lines(b"a\n", capacity).len(), 1);
        }
    }

    #[test]
    fn a_line_beyond_the_limit_is_passed_over_and_the_next_one_read() {
        let longest = [b'x'; MAX_LINE_BYTES];
        for capacity in [7, 4096, 1 << 20] {
            for extra in [1, 2, 100_000] {
                let mut input = longest.to_vec();
                input.extend(std::iter::repeat_n(b'x', extra));
                input.push(b'\n');
                input.extend_from_slice(&longest);
                input.extend_from_slice(b"\r\n");
                let found = lines(&input, capacity);
                assert_eq!(found[0].0, Line::TooLong, "{extra} bytes too many");
                assert_eq!(found[1].0, Line::Whole);
                assert_eq!(found[1].1, longest);
                assert_eq!(found.len(), 2);
            }
            let mut input = longest.to_vec();
            input.extend_from_slice(b"\rx\n");
            assert_eq!(lines(&input, capacity)[0].0, Line::TooLong, "what was cut off counts");
        }
    }
}
