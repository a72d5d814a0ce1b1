//! Where text comes from: plain files in pieces, archives as streams, memory.
//!
//! Text is handed on in parts that end where the topic changes, so that a part can be
//! ranked on its own. A topic that comes back later is the caller's business.

use crate::fault::{Fault, code};
use crate::scan::{first_change, has_record, last_change};
use crate::unpack::{Limits, Packing, packing, unpack, unreadable, whole};
use std::fs::{self, File, Metadata};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Plain files are read in pieces of about this many bytes.
const PIECE: u64 = 8 << 20;

/// What is unpacked step by step comes in pieces of this many bytes.
const STEP: u64 = 1 << 20;

/// A text to read.
pub enum Source {
    /// A file, plain or compressed.
    File(PathBuf),
    /// Text at hand, plain or compressed.
    Memory(Vec<u8>),
}

/// What of a source is read in one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it, as a stream.
    Whole,
    /// From the first topic change after one byte to the first after another.
    Between(u64, u64),
}

fn open(path: &Path) -> Result<File, Fault> {
    let file = File::open(path).map_err(|error| unreadable(&error))?;
    let directory = file.metadata().is_ok_and(|data| data.is_dir());
    if directory {
        return Err(whole(code::UNREADABLE, "is a directory"));
    }
    Ok(file)
}

/// Whether this is a plain file that is read in one go.
fn is_small(data: &Metadata) -> bool {
    data.is_file() && data.len() < 2 * PIECE
}

impl Source {
    /// Cuts the source into extents that can be read independently.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn extents(&self) -> Result<Vec<Extent>, Fault> {
        let Self::File(path) = self else {
            return Ok(vec![Extent::Whole]);
        };
        // A pipe must not be opened here: whoever writes may be gone the second time.
        let data = fs::metadata(path).map_err(|error| unreadable(&error))?;
        let length = data.len();
        if !data.is_file() || is_small(&data) {
            return Ok(vec![Extent::Whole]);
        }
        let mut file = open(path)?;
        let mut head = [0; 16];
        let found = file.read(&mut head).map_err(|error| unreadable(&error))?;
        if packing(&head[..found]) != Packing::Plain {
            return Ok(vec![Extent::Whole]);
        }
        let cuts = (length / PIECE).max(1);
        Ok((0..cuts)
            .map(|i| {
                let end = if i + 1 == cuts {
                    length
                } else {
                    (i + 1) * PIECE
                };
                Extent::Between(i * PIECE, end)
            })
            .collect())
    }

    /// Reads one extent and hands its text on in parts. `buffer` is room to reuse.
    ///
    /// # Errors
    /// If the source cannot be read, or an archive unpacks to more than is allowed.
    pub fn read(
        &self,
        extent: Extent,
        limits: Limits,
        buffer: &mut Vec<u8>,
        mut part: impl FnMut(&[u8]),
    ) -> Result<(), Fault> {
        match (self, extent) {
            (Self::File(path), Extent::Between(start, end)) => {
                let text = piece(&mut open(path)?, (start, end), PIECE / 32, buffer)?;
                if !text.is_empty() {
                    part(text);
                }
                Ok(())
            }
            (Self::File(path), Extent::Whole) => {
                let mut file = open(path)?;
                if !file.metadata().is_ok_and(|data| is_small(&data)) {
                    return stream(BufReader::new(file), limits, 2 * PIECE, buffer, part);
                }
                buffer.clear();
                file.read_to_end(buffer)
                    .map_err(|error| unreadable(&error))?;
                if packing(buffer) == Packing::Plain {
                    if !buffer.is_empty() {
                        part(buffer);
                    }
                    return Ok(());
                }
                let packed = std::mem::take(buffer);
                stream(packed.as_slice(), limits, 2 * PIECE, buffer, part)
            }
            (Self::Memory(bytes), _) => stream(bytes.as_slice(), limits, 2 * PIECE, buffer, part),
        }
    }

    /// Reads and unpacks the source, and hands it on in pieces until one is refused.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn pieces(
        &self,
        limits: Limits,
        mut each: impl FnMut(Vec<u8>) -> bool,
    ) -> Result<(), Fault> {
        let consume = |reader: &mut dyn Read| loop {
            let mut piece = Vec::new();
            if reader.take(STEP).read_to_end(&mut piece)? == 0 || !each(piece) {
                return Ok(());
            }
        };
        match self {
            Self::File(path) => unpack(BufReader::new(open(path)?), limits, consume),
            Self::Memory(packed) => unpack(packed.as_slice(), limits, consume),
        }
    }

    /// Reads and unpacks the whole source.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn unpacked(&self, limits: Limits) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        match self {
            Self::File(path) => unpack(BufReader::new(open(path)?), limits, |reader| {
                reader.read_to_end(&mut bytes).map(drop)
            }),
            Self::Memory(packed) => unpack(packed.as_slice(), limits, |reader| {
                reader.read_to_end(&mut bytes).map(drop)
            }),
        }?;
        Ok(bytes)
    }
}

/// Hands a stream on in parts of about `size` bytes that end where the topic changes.
fn stream(
    reader: impl BufRead,
    limits: Limits,
    size: u64,
    buffer: &mut Vec<u8>,
    mut part: impl FnMut(&[u8]),
) -> Result<(), Fault> {
    unpack(reader, limits, |reader| {
        buffer.clear();
        let mut wanted = size;
        loop {
            let missing = wanted.saturating_sub(buffer.len() as u64);
            let got = reader.take(missing).read_to_end(buffer)? as u64;
            if got < missing {
                if !buffer.is_empty() {
                    part(buffer);
                }
                return Ok(());
            }
            if let Some(cut) = last_change(buffer) {
                part(&buffer[..cut]);
                buffer.drain(..cut);
                wanted = size;
            } else {
                wanted *= 2;
            }
        }
    })
}

/// The text from the first topic change behind `start` to the first behind `end`.
///
/// A change is behind a place if it follows the first line that starts there or later.
/// The start of a file counts as a change, and so does its end. `step` is how much is
/// read at first to find the change behind `end`.
fn piece<'b>(
    file: &mut (impl Read + Seek),
    (start, end): (u64, u64),
    mut step: u64,
    buffer: &'b mut Vec<u8>,
) -> Result<&'b [u8], Fault> {
    buffer.clear();
    // One byte more in front tells whether `start` is the start of a line.
    let from = start.saturating_sub(1);
    file.seek(SeekFrom::Start(from))
        .map_err(|error| unreadable(&error))?;
    let mut extend = |buffer: &mut Vec<u8>, count: u64| {
        let got = file.by_ref().take(count).read_to_end(buffer);
        got.map(|got| got as u64 == count)
            .map_err(|error| unreadable(&error))
    };
    let mut more = extend(buffer, end - from)?;
    let seam = usize::try_from(end - from).expect("a piece fits memory") - 1;
    loop {
        let first = if start == 0 { Some(0) } else { change(buffer) };
        let last = buffer.get(seam..).and_then(change).map(|last| seam + last);
        match (first, last) {
            (Some(first), Some(last)) => return Ok(&buffer[first..last]),
            (Some(first), None) if !more => return Ok(&buffer[first..]),
            // The change behind `end` will be the first one behind `start`, too.
            (None, _) if !more || buffer.get(seam..).is_some_and(is_behind) => return Ok(&[]),
            _ => {}
        }
        more = extend(buffer, step)?;
        step *= 2;
    }
}

/// The first topic change after the first line end in `text`.
fn change(text: &[u8]) -> Option<usize> {
    let line = memchr::memchr(b'\n', text)? + 1;
    Some(line + first_change(&text[line..])?)
}

/// Whether there is a record after the first line end in `text`.
fn is_behind(text: &[u8]) -> bool {
    memchr::memchr(b'\n', text).is_some_and(|end| has_record(&text[end + 1..]))
}

#[cfg(test)]
mod tests {
    use super::{STEP, Source, piece, stream};
    use crate::unpack::Limits;
    use std::io::Cursor;
    use std::sync::atomic::AtomicBool;

    const LINES: [&str; 6] = ["a 1\n", "b 2\n", "\ta\r\n", "# a\n", "\n", "bb 3\n"];

    /// Every text of up to so many lines, with and without its last byte.
    fn texts(lines: u32) -> impl Iterator<Item = Vec<u8>> {
        (0..LINES.len().pow(lines)).flat_map(move |mut number| {
            let mut text = Vec::new();
            while number > 0 {
                text.extend_from_slice(LINES[number % LINES.len()].as_bytes());
                number /= LINES.len();
            }
            let cut = text[..text.len().saturating_sub(1)].to_vec();
            [text, cut]
        })
    }

    fn topics(text: &[u8]) -> Vec<&str> {
        let text = std::str::from_utf8(text).unwrap();
        let records = text
            .lines()
            .filter_map(|line| line.split_whitespace().next());
        records.filter(|topic| !topic.starts_with('#')).collect()
    }

    fn assert_parts(text: &[u8], parts: &[Vec<u8>]) {
        assert_eq!(parts.concat(), text);
        let mut last = None;
        for part in parts {
            let topics = topics(part);
            assert!(last.is_none() || last != topics.first().copied());
            last = topics.last().copied().or(last);
        }
    }

    #[test]
    fn pieces_are_the_text_cut_between_topics() {
        let mut buffer = Vec::new();
        for text in texts(4) {
            let length = text.len() as u64;
            for size in 1..=length {
                let mut file = Cursor::new(&text);
                let cuts = (0..length).step_by(usize::try_from(size).unwrap());
                let parts = cuts.map(|start| {
                    let extent = (start, (start + size).min(length));
                    piece(&mut file, extent, 1, &mut buffer).unwrap().to_vec()
                });
                let parts: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
                assert_parts(&text, &parts);
            }
        }
    }

    #[test]
    fn pieces_come_until_one_is_refused() {
        let bytes = vec![7; usize::try_from(2 * STEP).unwrap() + 1];
        let source = Source::Memory(bytes.clone());
        let stop = &AtomicBool::new(false);
        let limits = Limits {
            max_bytes: bytes.len() as u64,
            stop,
        };
        for wanted in [1, 2, 9] {
            let mut sizes = Vec::new();
            let take = |piece: Vec<u8>| {
                sizes.push(piece.len() as u64);
                sizes.len() < wanted
            };
            source.pieces(limits, take).unwrap();
            assert_eq!(sizes, [STEP, STEP, 1][..wanted.min(3)]);
        }
    }

    #[test]
    fn parts_of_a_stream_are_the_text_cut_between_topics() {
        let stop = &AtomicBool::new(false);
        let limits = Limits {
            max_bytes: 99,
            stop,
        };
        for text in texts(4) {
            for size in 1..=text.len() as u64 {
                let mut parts = Vec::new();
                let part = |part: &[u8]| parts.push(part.to_vec());
                stream(text.as_slice(), limits, size, &mut Vec::new(), part).unwrap();
                assert_parts(&text, &parts);
            }
        }
    }
}
