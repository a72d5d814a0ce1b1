//! Archives: told by their first bytes, and unpacked as far as they are whole.

use crate::fault::{Fault, code};
use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicBool, Ordering};

/// When reading ends early.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// What an archive may unpack to.
    pub max_bytes: u64,
    /// Set by somebody who no longer wants the result.
    pub stop: &'a AtomicBool,
}

/// How text is packed, told by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// Not at all.
    Plain,
    /// As gzip does.
    Gzip,
    /// As bzip2 does.
    Bzip2,
    /// As zstd does.
    Zstd,
    /// As lz4 does.
    Lz4,
    /// In a way that is not supported.
    Foreign(&'static str),
}

/// How a text that starts with these bytes is packed.
pub fn packing(head: &[u8]) -> Packing {
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
pub fn whole(code: &'static str, text: impl ToString) -> Fault {
    Fault {
        line: 0,
        code,
        text: text.to_string(),
    }
}

/// A fault of a source that cannot be read.
pub fn unreadable(error: &io::Error) -> Fault {
    whole(code::UNREADABLE, error)
}

/// Opens the right decoder over `reader` and passes it to `consume`.
///
/// # Errors
/// If the reader fails, or what it reads is damaged or unpacks to more than is allowed.
pub fn unpack(
    mut reader: impl BufRead,
    limits: Limits,
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
        Packing::Lz4 => Box::new(Lz4::new(whole_stream)),
        Packing::Foreign(kind) => return Err(whole(code::UNSUPPORTED, kind)),
    };
    let mut limited = Limited {
        inner: decoder,
        // What is not packed is no larger than it looks.
        left: match packing {
            Packing::Plain => u64::MAX,
            _ => limits.max_bytes,
        },
        exceeded: false,
        stop: limits.stop,
    };
    let outcome = consume(&mut limited);
    match outcome {
        Ok(()) => Ok(()),
        Err(_) if limited.exceeded => Err(whole(code::TOO_LARGE, limits.max_bytes)),
        Err(error) if packing == Packing::Plain => Err(unreadable(&error)),
        Err(error) => Err(whole(code::ARCHIVE, error)),
    }
}

/// Refuses to go on after so many bytes, or once told to stop.
struct Limited<'a, R> {
    inner: R,
    left: u64,
    exceeded: bool,
    stop: &'a AtomicBool,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("stopped"));
        }
        let got = self.inner.read(room)?;
        if got as u64 > self.left {
            self.exceeded = true;
            return Err(io::Error::other("too large"));
        }
        self.left -= got as u64;
        Ok(got)
    }
}

/// All frames of an LZ4 stream.
struct Lz4<R: Read>(lz4_flex::frame::FrameDecoder<Watched<R>>);

impl<R: BufRead> Lz4<R> {
    fn new(inner: R) -> Self {
        let reader = Watched { inner, dry: false };
        Self(lz4_flex::frame::FrameDecoder::new(reader))
    }
}

impl<R: BufRead> Read for Lz4<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        loop {
            let got = self.0.read(room)?;
            if got > 0 || room.is_empty() {
                return Ok(got);
            }
            let reader = self.0.get_mut();
            // The decoder takes a stream that was cut off between blocks for its end,
            // but a frame ends with a mark, behind which nothing is asked for.
            if reader.dry {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if reader.inner.fill_buf()?.is_empty() {
                return Ok(0);
            }
        }
    }
}

/// Remembers whether more was asked for than there is.
struct Watched<R> {
    inner: R,
    dry: bool,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(room)?;
        self.dry |= got == 0 && !room.is_empty();
        Ok(got)
    }
}

/// All frames of a Zstandard stream.
struct Zstd<R> {
    reader: R,
    decoder: ruzstd::decoding::FrameDecoder,
    open: bool,
    /// How many bytes of the open frame were handed on.
    given: u64,
}

impl<R: BufRead> Zstd<R> {
    fn new(reader: R) -> Self {
        Self {
            reader,
            decoder: ruzstd::decoding::FrameDecoder::new(),
            open: false,
            given: 0,
        }
    }

    /// Opens the next frame, stepping over those that carry no data.
    fn next_frame(&mut self) -> io::Result<()> {
        use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
        match self.decoder.init(&mut self.reader) {
            Ok(()) => (self.open, self.given) = (true, 0),
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
        // Zero where the frame does not say.
        let size = self.decoder.content_size();
        if size != 0 && size != self.given {
            return Err(io::Error::other("wrong size"));
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
                let got = self.decoder.read(room)?;
                self.given += got as u64;
                return Ok(got);
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
