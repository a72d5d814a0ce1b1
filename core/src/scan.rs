//! Lines and fields of the TREC formats.
//!
//! A line is topic, iteration, document and then, for judgments, a grade, or for
//! runs a rank, a score and a tag. Fields are separated by white space as C knows it.

use crate::fault::{Faults, code};
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

/// How many different run tags are remembered.
const TAGS: usize = 4;

/// How many bytes of comments are remembered.
const COMMENTS: usize = 65_536;

/// The text behind a byte-order mark; one of UTF-16 is a fault.
pub fn without_mark<'a>(text: &'a [u8], notes: &mut Notes) -> &'a [u8] {
    if notes.lines > 0 {
        return text;
    }
    if text.starts_with(&[0xff, 0xfe]) || text.starts_with(&[0xfe, 0xff]) {
        notes.faults.add(1, code::BINARY, b"UTF-16");
        return b"";
    }
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
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
    let mut topic = Topic::new(b"");
    let mut tag: &[u8] = b"";
    while at < text.len() {
        notes.lines += 1;
        let mut cursor = Cursor { text, at };
        if !cursor.repeats(&topic) {
            let first = cursor.field();
            if first.is_empty() || first[0] == b'#' {
                let end = line_end(text, cursor.at);
                comment(notes, &text[at..end]);
                at = end + 1;
                continue;
            }
            if !is_utf8(first) {
                notes.faults.add(notes.lines, code::UTF8, first);
                at = line_end(text, cursor.at) + 1;
                continue;
            }
            topic = Topic::new(first);
        }
        let line = notes.lines;
        match cursor.record(format, u32::try_from(line).unwrap_or(u32::MAX)) {
            Ok((record, after)) => {
                let end = match format {
                    Format::Judgments => after,
                    Format::Run { .. } => {
                        let end = line_end(text, after);
                        let found = text[after..end].trim_ascii();
                        if found != tag {
                            tag = found;
                            remember(&mut notes.tags, tag);
                        }
                        end
                    }
                };
                notes.records += 1;
                sink(topic.name, record);
                at = end + 1;
            }
            Err((code, found)) => {
                let end = line_end(text, at);
                let count = fields(&text[at..end]).to_string();
                notes
                    .faults
                    .add(line, code, found.unwrap_or(count.as_bytes()));
                // The topic of a faulty line is no good witness for the next one.
                topic = Topic::new(b"");
                at = end + 1;
            }
        }
    }
}

/// How many fields a line has.
fn fields(line: &[u8]) -> usize {
    let mut cursor = Cursor { text: line, at: 0 };
    std::iter::repeat_with(|| cursor.field())
        .take_while(|field| !field.is_empty())
        .count()
}

fn comment(notes: &mut Notes, line: &[u8]) {
    let line = line.trim_ascii();
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

/// The topic of the line before, ready to be compared in one word if it is short.
struct Topic<'a> {
    name: &'a [u8],
    word: u64,
    mask: u64,
}

impl<'a> Topic<'a> {
    fn new(name: &'a [u8]) -> Self {
        let mut bytes = [0; 8];
        let mut mask = [0; 8];
        for (place, &byte) in name.iter().take(8).enumerate() {
            bytes[place] = byte;
            mask[place] = 0xff;
        }
        Self {
            name,
            word: u64::from_le_bytes(bytes),
            mask: u64::from_le_bytes(mask),
        }
    }
}

#[derive(Clone, Copy)]
struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// Whether the line starts with just this topic; if so, steps over it.
    #[inline]
    fn repeats(&mut self, topic: &Topic) -> bool {
        let length = topic.name.len();
        let rest = &self.text[self.at..];
        if length == 0 || rest.len() <= length || !is_blank(rest[length]) {
            return false;
        }
        let same = match rest.first_chunk() {
            Some(&head) if length <= 8 => u64::from_le_bytes(head) & topic.mask == topic.word,
            _ => rest[..length] == *topic.name,
        };
        if same {
            self.at += length;
        }
        same
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
            at += 1;
        }
        self.at = at;
        &text[start..at]
    }

    /// Reads what follows the topic. The place returned is the line's end for
    /// judgments and the tag's start for runs.
    #[inline]
    fn record(&mut self, format: Format, line: u32) -> Result<(Record<'a>, usize), LineFault<'a>> {
        let _iteration = self.field();
        let document = self.field();
        let (mut rank, value) = match format {
            Format::Judgments => (&b""[..], self.field()),
            Format::Run { .. } => (self.field(), self.field()),
        };
        let last = self.at;
        let extra = self.field();
        if value.is_empty() || extra.is_empty() != (format == Format::Judgments) {
            return Err((code::FIELDS, None));
        }
        if !is_utf8(document) {
            return Err((code::UTF8, Some(document)));
        }
        let number = finite(value)?;
        if format != (Format::Run { ranks: true }) {
            rank = b"0";
        }
        let Some(rank) = whole(rank) else {
            return Err((code::RANK, Some(rank)));
        };
        let record = Record {
            value: number,
            document,
            line,
            rank,
        };
        let after = match format {
            Format::Judgments => self.at,
            Format::Run { .. } => last,
        };
        Ok((record, after))
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

#[inline]
fn is_utf8(field: &[u8]) -> bool {
    field.is_ascii() || std::str::from_utf8(field).is_ok()
}

/// White space that does not end a line.
#[inline]
fn is_blank(byte: u8) -> bool {
    byte == b' ' || (byte != b'\n' && (9..=13).contains(&byte))
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
    let topic = Cursor { text: line, at: 0 }.field();
    (!topic.is_empty() && topic[0] != b'#').then_some(topic)
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
