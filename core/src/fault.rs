//! Faults of an input, as data: the Python side words them.

/// The most faults kept for one input; the rest are only counted.
const KEPT: usize = 1000;

/// One fault: where it is, what kind it is, and the offending text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Line (or row) of the input, from 1; 0 speaks of the input as a whole.
    pub line: u64,
    /// What is wrong, one of the names in [`code`].
    pub code: &'static str,
    /// The text that is wrong, shortened.
    pub text: String,
}

/// The kinds of fault.
pub mod code {
    /// The number of fields is not that of the format.
    pub const FIELDS: &str = "fields";
    /// A score or grade is not a number.
    pub const NUMBER: &str = "number";
    /// A score or grade is not a number in the IEEE sense.
    pub const NAN: &str = "nan";
    /// A score or grade is infinite, or too large for a double.
    pub const INFINITE: &str = "infinite";
    /// A rank is not a whole number.
    pub const RANK: &str = "rank";
    /// A document is there twice in one topic.
    pub const DUPLICATE: &str = "duplicate";
    /// An identifier is not UTF-8.
    pub const UTF8: &str = "utf8";
    /// The input holds zero bytes, or is UTF-16.
    pub const BINARY: &str = "binary";
    /// A carriage return stands where a line should end.
    pub const LINE_ENDS: &str = "line-ends";
    /// A byte-order mark within the text.
    pub const MARK: &str = "mark";
    /// There is no data in the input.
    pub const EMPTY: &str = "empty";
    /// The input cannot be opened or read.
    pub const UNREADABLE: &str = "unreadable";
    /// An archive is truncated or damaged.
    pub const ARCHIVE: &str = "archive";
    /// An archive of a kind that is not supported.
    pub const UNSUPPORTED: &str = "unsupported";
    /// More bytes than were allowed.
    pub const TOO_LARGE: &str = "too-large";
}

/// Gathers faults: every one is counted, the first ones are kept.
#[derive(Debug, Default)]
pub struct Faults {
    /// The faults kept.
    pub kept: Vec<Fault>,
    /// How many there were.
    pub count: u64,
}

impl Faults {
    /// Adds one fault; `text` is shortened to what fits a message.
    pub fn add(&mut self, line: u64, code: &'static str, text: &[u8]) {
        self.count += 1;
        if self.kept.len() < KEPT {
            let text = shortened(text);
            self.kept.push(Fault { line, code, text });
        }
    }

    /// Sorts the faults by line, and tells each only once: every part of a source that
    /// cannot be read finds so anew.
    pub fn arrange(&mut self) {
        let kept = self.kept.len();
        self.kept.sort_by_key(|fault| fault.line);
        self.kept.dedup();
        self.count -= (kept - self.kept.len()) as u64;
    }

    /// Takes over the faults of a part that starts after `lines` lines.
    pub fn absorb(&mut self, part: Self, lines: u64) {
        self.count += part.count;
        let room = KEPT.saturating_sub(self.kept.len());
        self.kept
            .extend(part.kept.into_iter().take(room).map(|fault| Fault {
                line: if fault.line == 0 {
                    0
                } else {
                    fault.line + lines
                },
                ..fault
            }));
    }
}

fn shortened(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    if text.chars().count() <= 80 {
        return text.into_owned();
    }
    text.chars().take(79).chain(['…']).collect()
}
