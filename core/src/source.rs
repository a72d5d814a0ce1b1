//! Where text comes from: plain files in pieces, archives as streams, memory.
//!
//! Text is handed on in parts that end where the topic changes, so that a part can be
//! ranked on its own. A topic that comes back later is the caller's business.

use crate::fault::{Fault, code};
use crate::scan::{first_change, last_change};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Plain files are read in pieces of about this many bytes.
const PIECE: u64 = 8 << 20;

/// An empty LZ4 frame. Behind an LZ4 stream it decodes to nothing, but a stream that
/// was cut off trips over it, which the decoder would otherwise take for its end.
const LZ4_END: &[u8] = &[0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, 0, 0, 0, 0];

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

/// How text is packed, told by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    Plain,
    Gzip,
    Bzip2,
    Zstd,
    Lz4,
    Foreign(&'static str),
}

fn packing(head: &[u8]) -> Packing {
    const BLOCK: &[u8] = &[0x31, 0x41, 0x59, 0x26, 0x53, 0x59];
    const LAST: &[u8] = &[0x17, 0x72, 0x45, 0x38, 0x50, 0x90];
    match head {
        [0x1f, 0x8b, ..] => Packing::Gzip,
        // The letters alone could start a run; the magic number of a block cannot.
        [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
            if rest.starts_with(BLOCK) || rest.starts_with(LAST) =>
        {
            Packing::Bzip2
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Packing::Zstd,
        [0x04, 0x22, 0x4d, 0x18, ..] => Packing::Lz4,
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Packing::Foreign("xz"),
        [b'P', b'K', 3, 4, ..] => Packing::Foreign("zip"),
        [b'7', b'z', 0xbc, 0xaf, ..] => Packing::Foreign("7z"),
        _ => Packing::Plain,
    }
}

/// A fault of the whole source.
fn whole(code: &'static str, text: impl ToString) -> Fault {
    Fault {
        line: 0,
        code,
        text: text.to_string(),
    }
}

fn unreadable(error: &io::Error) -> Fault {
    whole(code::UNREADABLE, error)
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
fn is_small(file: &File) -> bool {
    file.metadata()
        .is_ok_and(|data| data.is_file() && data.len() < 2 * PIECE)
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
        let mut file = open(path)?;
        let data = file.metadata().map_err(|error| unreadable(&error))?;
        let length = data.len();
        if !data.is_file() || is_small(&file) {
            return Ok(vec![Extent::Whole]);
        }
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

    /// Reads one extent and hands its text on in parts, for as long as `part` says to go
    /// on. `buffer` is room to reuse.
    ///
    /// # Errors
    /// If the source cannot be read, or unpacks to more than `max_bytes`.
    pub fn read(
        &self,
        extent: Extent,
        max_bytes: u64,
        buffer: &mut Vec<u8>,
        mut part: impl FnMut(&[u8]) -> bool,
    ) -> Result<(), Fault> {
        match (self, extent) {
            (Self::File(path), Extent::Between(start, end)) => {
                let text = piece(&mut open(path)?, start, end, buffer)?;
                if !text.is_empty() {
                    part(text);
                }
                Ok(())
            }
            (Self::File(path), Extent::Whole) => {
                let mut file = open(path)?;
                if !is_small(&file) {
                    return stream(BufReader::new(file), max_bytes, buffer, part);
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
                stream(packed.as_slice(), max_bytes, buffer, part)
            }
            (Self::Memory(bytes), _) => stream(bytes.as_slice(), max_bytes, buffer, part),
        }
    }

    /// Reads and unpacks the whole source.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn unpacked(&self, max_bytes: u64) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        match self {
            Self::File(path) => unpack(BufReader::new(open(path)?), max_bytes, |reader| {
                reader.read_to_end(&mut bytes).map(drop)
            }),
            Self::Memory(packed) => unpack(packed.as_slice(), max_bytes, |reader| {
                reader.read_to_end(&mut bytes).map(drop)
            }),
        }?;
        Ok(bytes)
    }
}

/// Opens the right decoder over `reader` and passes it to `consume`.
fn unpack(
    mut reader: impl BufRead,
    max_bytes: u64,
    consume: impl FnOnce(&mut dyn Read) -> io::Result<()>,
) -> Result<(), Fault> {
    let mut head = [0; 16];
    let mut found = 0;
    while found < head.len() {
        match reader.read(&mut head[found..]) {
            Ok(0) => break,
            Ok(more) => found += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(unreadable(&error)),
        }
    }
    let head = &head[..found];
    let packing = packing(head);
    let whole_stream = head.chain(reader);
    let decoder: Box<dyn Read + '_> = match packing {
        Packing::Plain => Box::new(whole_stream),
        Packing::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(whole_stream)),
        Packing::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(whole_stream)),
        Packing::Zstd => Box::new(Zstd::new(whole_stream)),
        Packing::Lz4 => Box::new(Lz4::new(whole_stream.chain(LZ4_END))),
        Packing::Foreign(kind) => return Err(whole(code::UNSUPPORTED, kind)),
    };
    let mut limited = Limited {
        inner: decoder,
        left: max_bytes,
        exceeded: false,
    };
    let outcome = consume(&mut limited);
    match outcome {
        Ok(()) => Ok(()),
        Err(_) if limited.exceeded => Err(whole(code::TOO_LARGE, max_bytes)),
        Err(error) if packing == Packing::Plain => Err(unreadable(&error)),
        Err(error) => Err(whole(code::ARCHIVE, error)),
    }
}

/// Hands a stream on in parts that end where the topic changes.
fn stream(
    reader: impl BufRead,
    max_bytes: u64,
    buffer: &mut Vec<u8>,
    mut part: impl FnMut(&[u8]) -> bool,
) -> Result<(), Fault> {
    unpack(reader, max_bytes, |reader| {
        buffer.clear();
        let mut wanted = 2 * PIECE;
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
                if !part(&buffer[..cut]) {
                    return Ok(());
                }
                buffer.drain(..cut);
                wanted = 2 * PIECE;
            } else {
                wanted *= 2;
            }
        }
    })
}

/// The text from the first topic change after `start` to the first after `end`.
///
/// The start of a file counts as a change, and so does its end.
fn piece<'b>(
    file: &mut File,
    start: u64,
    end: u64,
    buffer: &'b mut Vec<u8>,
) -> Result<&'b [u8], Fault> {
    buffer.clear();
    // One byte more in front tells whether `start` is the start of a line.
    let from = start.saturating_sub(1);
    file.seek(SeekFrom::Start(from))
        .map_err(|error| unreadable(&error))?;
    let mut extend = |buffer: &mut Vec<u8>, count: u64| {
        let got = file.by_ref().take(count).read_to_end(buffer);
        got.map_err(|error| unreadable(&error))
    };
    extend(buffer, end - from)?;
    let first = if start == 0 { Some(0) } else { change(buffer) };
    let Some(first) = first else {
        return Ok(&[]);
    };
    let seam = usize::try_from(end - from).expect("a piece fits memory") - 1;
    let mut more = PIECE / 32;
    loop {
        let got = extend(buffer, more)?;
        if let Some(last) = buffer.get(seam..).and_then(change) {
            return Ok(&buffer[first..seam + last]);
        }
        if (got as u64) < more {
            return Ok(&buffer[first..]);
        }
        more *= 2;
    }
}

/// The first topic change after the first line end in `text`.
fn change(text: &[u8]) -> Option<usize> {
    let line = memchr::memchr(b'\n', text)? + 1;
    Some(line + first_change(&text[line..])?)
}

/// Refuses to go on after so many bytes.
struct Limited<R> {
    inner: R,
    left: u64,
    exceeded: bool,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(room)?;
        if got as u64 > self.left {
            self.exceeded = true;
            return Err(io::Error::other("too large"));
        }
        self.left -= got as u64;
        Ok(got)
    }
}

/// All frames of an LZ4 stream behind which [`LZ4_END`] stands.
struct Lz4<R: Read>(lz4_flex::frame::FrameDecoder<R>);

impl<R: BufRead> Lz4<R> {
    fn new(reader: R) -> Self {
        Self(lz4_flex::frame::FrameDecoder::new(reader))
    }
}

impl<R: BufRead> Read for Lz4<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            let got = self.0.read(room)?;
            if got > 0 || room.is_empty() || self.0.get_mut().fill_buf()?.is_empty() {
                return Ok(got);
            }
        }
    }
}

/// All frames of a Zstandard stream.
struct Zstd<R> {
    reader: R,
    decoder: ruzstd::decoding::FrameDecoder,
    open: bool,
}

impl<R: BufRead> Zstd<R> {
    fn new(reader: R) -> Self {
        Self {
            reader,
            decoder: ruzstd::decoding::FrameDecoder::new(),
            open: false,
        }
    }

    /// Opens the next frame, stepping over those that carry no data.
    fn next_frame(&mut self) -> io::Result<()> {
        use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
        match self.decoder.init(&mut self.reader) {
            Ok(()) => self.open = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let length = u64::from(length);
                let skipped = io::copy(&mut self.reader.by_ref().take(length), &mut io::sink())?;
                if skipped < length {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            Err(error) => return Err(io::Error::other(error)),
        }
        Ok(())
    }

    fn close_frame(&mut self) -> io::Result<()> {
        self.open = false;
        let stated = self.decoder.get_checksum_from_data();
        if stated.is_some() && stated != self.decoder.get_calculated_checksum() {
            return Err(io::Error::other("wrong checksum"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Zstd<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        use ruzstd::decoding::BlockDecodingStrategy::UptoBlocks;
        while !room.is_empty() {
            if !self.open {
                if self.reader.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.next_frame()?;
            } else if self.decoder.can_collect() > 0 {
                return self.decoder.read(room);
            } else if self.decoder.is_finished() {
                self.close_frame()?;
            } else {
                self.decoder
                    .decode_blocks(&mut self.reader, UptoBlocks(1))
                    .map_err(io::Error::other)?;
            }
        }
        Ok(0)
    }
}
