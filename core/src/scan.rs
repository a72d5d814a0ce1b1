//! Lines and fields of the TREC formats.
//!
//! A line is topic, iteration, document and then, for judgments, a grade, or for
//! runs a rank, a score and a tag. Fields are separated by white space as C knows it.

use crate::fault::{Fault, Faults, code};
use crate::number;
use memchr::{memchr, memrchr};

/// One retrieved or judged document.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// Score of a run, or grade of a judgment.
    pub value: f64,
    /// The document's identifier.
    pub document: &'a [u8],
    /// Line within the extent scanned, from 1.
    pub line: u32,
    /// The rank column, 0 unless it was asked for.
    pub rank: i32,
}

impl Record<'_> {
    /// What is wrong with the value, if anything.
    pub fn fault(&self) -> Option<&'static str> {
        if self.value.is_nan() {
            return Some(code::NAN);
        }
        self.value.is_infinite().then_some(code::INFINITE)
    }
}

/// The two line formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `topic iteration document grade`
    Judgments,
    /// `topic Q0 document rank score tag`; whether the rank column is read.
    Run {
        /// Read the rank column too.
        ranks: bool,
    },
}

/// What scanning found beside the records.
#[derive(Debug, Default)]
pub struct Notes {
    /// Lines seen so far.
    pub lines: u64,
    /// Lines that hold a record.
    pub records: u64,
    /// Faults, by line.
    pub faults: Faults,
    /// Comment lines before the first record.
    pub comments: Vec<u8>,
    /// Different run tags in order of appearance, at most [`TAGS`].
    pub tags: Vec<Vec<u8>>,
}

impl Notes {
    /// Adds the fault for which reading ended early, if it did.
    pub fn fail(&mut self, outcome: Result<(), Fault>) {
        if let Err(fault) = outcome {
            let Fault { line, code, text } = fault;
            self.faults.add(line, code, text.as_bytes());
        }
    }
}

/// How many different run tags are remembered.
const TAGS: usize = 4;

/// How many bytes of comments are remembered.
const COMMENTS: usize = 65_536;

/// The byte-order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// The text behind a byte-order mark; one of UTF-16 is a fault.
pub fn without_mark<'a>(text: &'a [u8], notes: &mut Notes) -> &'a [u8] {
    if notes.lines > 0 {
        return text;
    }
    if text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]) {
        notes.faults.add(1, code::BINARY, b"UTF-16");
        return b"";
    }
    text.strip_prefix(MARK).unwrap_or(text)
}

/// Calls `sink` with topic and record of every line of `text`, in order.
///
/// Lines of one topic that follow each other are handed over with the same slice, so
/// that a sink can tell a change of topic by its address before comparing bytes.
pub fn scan<'a>(
    text: &'a [u8],
    format: Format,
    notes: &mut Notes,
    mut sink: impl FnMut(&'a [u8], Record<'a>),
) {
    let mut at = 0;
    let mut topic: &[u8] = b"";
    // What the line before had in front of its document and behind its score.
    let (mut head, mut tail) = (Pattern::new(b""), Pattern::new(b""));
    while at < text.len() {
        notes.lines += 1;
        let mut cursor = Cursor::new(text, at);
        let repeated = head.starts(&text[at..]);
        if repeated {
            cursor.at += head.bytes.len();
        } else {
            let first = cursor.field();
            if first.is_empty() || first[0] == b'#' {
                let end = line_end(text, cursor.at);
                comment(notes, &text[at..end]);
                at = end + 1;
                continue;
            }
            if let Some(code) = unfit(first) {
                notes.faults.add(notes.lines, code, first);
                at = line_end(text, cursor.at) + 1;
                continue;
            }
            if first != topic {
                topic = first;
            }
            let _iteration = cursor.field();
        }
        let start = cursor.at;
        let line = u32::try_from(notes.lines).unwrap_or(u32::MAX);
        let found = cursor.record(format, line);
        let end = found.and_then(|_| {
            if tail.starts(&text[cursor.at..]) {
                return Ok(cursor.at + tail.bytes.len() - 1);
            }
            let behind = cursor.at;
            let end = cursor.rest(format, notes)?;
            tail = Pattern::new(text.get(behind..=end).unwrap_or(b""));
            Ok(end)
        });
        match (found, end) {
            (Ok(record), Ok(end)) => {
                if !repeated {
                    let gap = text[start..].iter().take_while(|&&byte| is_blank(byte));
                    head = Pattern::new(&text[at..start + gap.count()]);
                }
                notes.records += 1;
                sink(topic, record);
                at = end + 1;
            }
            (_, Err((code, found))) | (Err((code, found)), _) => {
                let end = line_end(text, at);
                let whole = trimmed(&text[at..end]);
                let (code, found) = with_count(format, whole, code, found);
                notes.faults.add(notes.lines, code, &found);
                // A faulty line is no good witness for the next one.
                head = Pattern::new(b"");
                at = end + 1;
            }
        }
    }
}

/// A fault's text, unless it comes from too few or too many fields: then their number.
fn with_count(
    format: Format,
    line: &[u8],
    code: &'static str,
    found: Option<&[u8]>,
) -> (&'static str, Vec<u8>) {
    let count = fields(line);
    let right = match format {
        Format::Judgments => count == 4,
        Format::Run { .. } => count >= 6,
    };
    if right || code == code::BINARY || code == code::UTF8 {
        (code, found.unwrap_or_default().to_vec())
    } else if line.contains(&b'\r') {
        (code::LINE_ENDS, Vec::new())
    } else {
        (code::FIELDS, count.to_string().into_bytes())
    }
}

/// How many fields a line has.
fn fields(line: &[u8]) -> usize {
    let mut cursor = Cursor::new(line, 0);
    std::iter::repeat_with(|| cursor.field())
        .take_while(|field| !field.is_empty())
        .count()
}

fn comment(notes: &mut Notes, line: &[u8]) {
    let line = trimmed(line);
    let early = notes.records == 0 && notes.comments.len() + line.len() < COMMENTS;
    if early && !line.is_empty() {
        notes.comments.extend_from_slice(line);
        notes.comments.push(b'\n');
    }
}

/// Adds `tag` to `tags` unless it is there or there are enough.
pub fn remember(tags: &mut Vec<Vec<u8>>, tag: &[u8]) {
    if tags.len() < TAGS && !tags.iter().any(|known| known == tag) {
        tags.push(tag.to_vec());
    }
}

/// A fault's code and the text it speaks of; without text, the number of fields.
type LineFault<'a> = (&'static str, Option<&'a [u8]>);

/// Bytes that the next line is likely to repeat, ready to be compared in one word.
struct Pattern<'a> {
    bytes: &'a [u8],
    word: u128,
    mask: u128,
}

impl<'a> Pattern<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let mut word = [0; 16];
        let mut mask = [0; 16];
        for (place, &byte) in bytes.iter().take(16).enumerate() {
            word[place] = byte;
            mask[place] = 0xff;
        }
        Self {
            bytes,
            word: u128::from_le_bytes(word),
            mask: u128::from_le_bytes(mask),
        }
    }

    /// Whether the text starts with these bytes; never, if there are none.
    #[inline]
    fn starts(&self, text: &[u8]) -> bool {
        match text.first_chunk() {
            _ if self.bytes.is_empty() => false,
            Some(&chunk) if self.bytes.len() <= 16 => {
                u128::from_le_bytes(chunk) & self.mask == self.word
            }
            _ => text.starts_with(self.bytes),
        }
    }
}

#[derive(Clone, Copy)]
struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
    /// Whether a field stepped over holds a zero byte.
    zero: bool,
}

impl<'a> Cursor<'a> {
    #[inline]
    fn new(text: &'a [u8], at: usize) -> Self {
        Self {
            text,
            at,
            zero: false,
        }
    }

    /// Steps over white space within the line, then over the field; empty at line's end.
    #[inline]
    fn field(&mut self) -> &'a [u8] {
        let text = self.text;
        let mut at = self.at;
        while at < text.len() && is_blank(text[at]) {
            at += 1;
        }
        let start = at;
        loop {
            at = next_low(text, at);
            if at >= text.len() || is_blank(text[at]) || text[at] == b'\n' {
                break;
            }
            self.zero |= text[at] == 0;
            at += 1;
        }
        self.at = at;
        &text[start..at]
    }

    /// Reads from the document to the number.
    #[inline]
    fn record(&mut self, format: Format, line: u32) -> Result<Record<'a>, LineFault<'a>> {
        let document = self.field();
        let mut rank = match format {
            Format::Judgments => &b"0"[..],
            Format::Run { .. } => self.field(),
        };
        let value = self.field();
        if self.zero {
            return Err((code::BINARY, Some(b"")));
        }
        if value.is_empty() {
            return Err((code::FIELDS, None));
        }
        if !is_utf8(document) {
            return Err((code::UTF8, Some(document)));
        }
        let value = finite(value)?;
        if format != (Format::Run { ranks: true }) {
            rank = b"0";
        }
        let Some(rank) = whole(rank) else {
            return Err((code::RANK, Some(rank)));
        };
        Ok(Record {
            value,
            document,
            line,
            rank,
        })
    }

    /// Reads what is behind the number: nothing, or a run's tag. Returns the line's end.
    fn rest(&mut self, format: Format, notes: &mut Notes) -> Result<usize, LineFault<'a>> {
        let start = self.at;
        let extra = self.field();
        if extra.is_empty() != (format == Format::Judgments) {
            return Err((code::FIELDS, None));
        }
        let end = line_end(self.text, self.at);
        let tag = trimmed(&self.text[start..end]);
        if tag.contains(&0) {
            return Err((code::BINARY, Some(b"")));
        }
        // Fields go on behind a carriage return, lines do not.
        if tag.contains(&b'\r') {
            return Err((code::LINE_ENDS, Some(b"")));
        }
        if !tag.is_empty() {
            remember(&mut notes.tags, tag);
        }
        Ok(end)
    }
}

/// Reads a number that is finite, or says what is wrong with it.
///
/// # Errors
/// The fault's code and the field itself.
pub fn finite(field: &[u8]) -> Result<f64, LineFault<'_>> {
    match number::parse(field) {
        Some(value) if value.is_finite() => Ok(value),
        Some(value) if value.is_nan() => Err((code::NAN, Some(field))),
        Some(_) => Err((code::INFINITE, Some(field))),
        None if field.contains(&0) => Err((code::BINARY, Some(field))),
        None => Err((code::NUMBER, Some(field))),
    }
}

fn whole(field: &[u8]) -> Option<i32> {
    if field == b"0" {
        return Some(0);
    }
    std::str::from_utf8(field).ok()?.parse().ok()
}

/// What keeps a field from being the id of a topic, if anything.
fn unfit(topic: &[u8]) -> Option<&'static str> {
    if topic.starts_with(MARK) {
        return Some(code::MARK);
    }
    (!is_utf8(topic)).then_some(code::UTF8)
}

#[inline]
fn is_utf8(field: &[u8]) -> bool {
    field.is_ascii() || std::str::from_utf8(field).is_ok()
}

/// White space that does not end a line.
#[inline]
fn is_blank(byte: u8) -> bool {
    byte == b' ' || (byte != b'\n' && (9..=13).contains(&byte))
}

/// A line, or a part of one, without the white space around it.
fn trimmed(text: &[u8]) -> &[u8] {
    let start = text.iter().take_while(|&&byte| is_blank(byte)).count();
    let end = text.iter().rposition(|&byte| !is_blank(byte));
    end.map_or(b"", |last| &text[start..=last])
}

/// The first byte from `at` on that is a space or a control character.
#[inline]
fn next_low(text: &[u8], mut at: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    while let Some(bytes) = text.get(at..at + 8) {
        let word = u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        // The lowest set bit marks the first byte below 0x21; those above it may be
        // marked in error by the borrow, which does no harm.
        let low = word.wrapping_sub(ONES * 0x21) & !word & HIGH;
        if low != 0 {
            return at + (low.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while at < text.len() && text[at] > b' ' {
        at += 1;
    }
    at
}

#[inline]
fn line_end(text: &[u8], at: usize) -> usize {
    memchr(b'\n', &text[at..]).map_or(text.len(), |found| at + found)
}

/// The topic of a line, unless it is blank or a comment.
fn topic_of(line: &[u8]) -> Option<&[u8]> {
    let topic = Cursor::new(line, 0).field();
    (!topic.is_empty() && topic[0] != b'#').then_some(topic)
}

/// Whether a whole line holds a record.
pub fn has_record(text: &[u8]) -> bool {
    let whole = memrchr(b'\n', text).unwrap_or(0);
    let mut lines = text[..whole].split(|&byte| byte == b'\n');
    lines.any(|line| topic_of(line).is_some())
}

/// Where the first topic change after the first line is, looking at whole lines only.
pub fn first_change(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    let mut topic = None;
    while let Some(length) = memchr(b'\n', &text[at..]) {
        if let Some(found) = topic_of(&text[at..at + length]) {
            if topic.is_some_and(|topic| topic != found) {
                return Some(at);
            }
            topic = Some(found);
        }
        at += length + 1;
    }
    None
}

/// Where the last topic change is, looking at whole lines only.
pub fn last_change(text: &[u8]) -> Option<usize> {
    let mut end = memrchr(b'\n', text)?;
    let mut change = None;
    let mut topic: Option<&[u8]> = None;
    loop {
        let start = memrchr(b'\n', &text[..end]).map_or(0, |at| at + 1);
        if let Some(found) = topic_of(&text[start..end]) {
            if topic.is_some_and(|topic| topic != found) {
                return change;
            }
            topic = Some(found);
            change = Some(start);
        }
        if start == 0 {
            return None;
        }
        end = start - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{Format, Notes, scan};
    use crate::fault::code;

    const RUN: Format = Format::Run { ranks: false };

    /// Lines and kinds of the faults of a text, and how many records there are.
    fn faults(text: &[u8], format: Format) -> (Vec<(u64, &'static str)>, u64) {
        let mut notes = Notes::default();
        scan(text, format, &mut notes, |_, _| {});
        let kept = notes.faults.kept.iter();
        (
            kept.map(|fault| (fault.line, fault.code)).collect(),
            notes.records,
        )
    }

    #[test]
    fn lines_that_end_in_carriage_returns_alone_are_no_tag() {
        let expected = (vec![(1, code::LINE_ENDS)], 0);
        assert_eq!(faults(b"1 Q0 a 1 2 t\r1 Q0 b 2 1 t\r", RUN), expected);
        assert_eq!(faults(b"1 0 a 1\r1 0 b 0\r", Format::Judgments), expected);
        let windows = b"1 Q0 a 1 2 t\r\n1 Q0 b 2 1 t\r\n";
        assert_eq!(faults(windows, RUN), (vec![], 2));
    }

    #[test]
    fn zero_bytes_are_no_text_wherever_they_stand() {
        let text = b"1 Q0 a\0 1 2 t\n1\0 Q0 a 1 2 t\n\0\0\n1 Q0 a 1 2 t t\0\n1 Q0 b 1 2 t\n";
        let lines = (1..=4).map(|line| (line, code::BINARY)).collect();
        assert_eq!(faults(text, RUN), (lines, 1));
    }

    #[test]
    fn a_mark_within_the_text_is_no_part_of_a_topic() {
        let text = "1 Q0 a 1 2 t\n\u{feff}1 Q0 b 2 1 t\n1 Q0 c 3 0 t\n";
        assert_eq!(faults(text.as_bytes(), RUN), (vec![(2, code::MARK)], 2));
    }
}
