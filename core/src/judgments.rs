//! Judgments: grades by topic and document, and the tables that find them again.

use crate::corpus::Corpus;
use crate::fault::code;
use crate::gather::Columns;
use crate::scan::{Format, Notes, Record, scan, without_mark};
use crate::source::{Extent, Source};
use crate::unpack::Limits;
use foldhash::quality::RandomState;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::atomic::Ordering;

/// What happens to a document that is there twice in one topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Duplicates {
    /// Every copy but the first is a fault.
    Refuse,
    /// The best-ranked copy counts (in judgments: the first one).
    First,
    /// The copy read last counts.
    Last,
}

/// The judgments of one topic while they are gathered.
#[derive(Default)]
struct Gathered {
    documents: Vec<Vec<u8>>,
    grades: Vec<f64>,
    places: HashMap<Vec<u8>, usize, RandomState>,
}

/// Judgments of all topics, and how to find them.
pub struct Judgments {
    /// Topics in order of first appearance.
    pub topics: Vec<String>,
    /// Topic t owns the judgments `offsets[t]..offsets[t + 1]`.
    pub offsets: Vec<usize>,
    /// Grade of every judgment.
    pub grades: Vec<f64>,
    /// Topic by identifier.
    pub index: HashMap<Vec<u8>, u32, RandomState>,
    /// The key of all hashing: new in every process, so that nobody can aim at it.
    pub hashing: RandomState,
    tables: Vec<Table>,
    documents: Vec<Vec<u8>>,
}

impl Judgments {
    /// The document of a judgment.
    pub fn document(&self, judgment: usize) -> &[u8] {
        &self.documents[judgment]
    }

    /// The table of a topic.
    pub fn table(&self, topic: u32) -> &Table {
        &self.tables[topic as usize]
    }
}

/// An open-addressing table of one topic's judgments. Tags are probed first: they are
/// small enough to stay in the nearest cache while a ranking is matched.
pub struct Table {
    tags: Vec<u16>,
    slots: Vec<Slot>,
    text: Vec<u8>,
}

/// A judgment, and where its document is in the table's text.
#[derive(Clone, Copy, Default)]
pub struct Slot {
    judgment: u32,
    start: u32,
    end: u32,
}

impl Table {
    fn new(documents: &[Vec<u8>], first: u32, hashing: &RandomState) -> Self {
        let size = (2 * documents.len()).next_power_of_two();
        let mut table = Self {
            tags: vec![0; size],
            slots: vec![Slot::default(); size],
            text: documents.concat(),
        };
        let mut start = 0;
        for (judgment, document) in (first..).zip(documents) {
            let hash = hash(hashing, document);
            let mut place = table.place(hash);
            while table.tags[place] != 0 {
                place = (place + 1) & (size - 1);
            }
            let end = start + u32::try_from(document.len()).expect("a line fits 4 GiB");
            table.tags[place] = tag(hash);
            table.slots[place] = Slot {
                judgment,
                start,
                end,
            };
            start = end;
        }
        table
    }

    fn place(&self, hash: u64) -> usize {
        hash as usize & (self.tags.len() - 1)
    }

    /// Whether a document with this hash may be here. Cheap, and sure when it says no.
    #[inline]
    pub fn may_hold(&self, hash: u64) -> bool {
        self.tags[self.place(hash)] != 0
    }

    /// What stands first where a document with this hash would be.
    #[inline]
    pub fn head(&self, hash: u64) -> Slot {
        self.slots[self.place(hash)]
    }

    /// Brings the document of a slot near; the value means nothing.
    #[inline]
    pub fn touch(&self, slot: Slot) -> u8 {
        self.text.get(slot.start as usize).copied().unwrap_or(0)
    }

    /// The judgment of a document, given the head of its hash.
    #[inline]
    pub fn find(&self, hash: u64, head: Slot, document: &[u8]) -> Option<u32> {
        let wanted = tag(hash);
        let mut place = self.place(hash);
        let mut slot = head;
        while self.tags[place] != 0 {
            if self.tags[place] == wanted
                && same(&self.text[slot.start as usize..slot.end as usize], document)
            {
                return Some(slot.judgment);
            }
            place = (place + 1) & (self.tags.len() - 1);
            slot = self.slots[place];
        }
        None
    }
}

/// Whether two identifiers are the same. They are short, and mostly they are, so that
/// comparing words in place beats a call.
#[inline]
fn same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let (Some(a), Some(b)) = (left.last_chunk::<8>(), right.last_chunk::<8>()) else {
        return left == right;
    };
    let words = left.chunks_exact(8).zip(right.chunks_exact(8));
    a == b && words.into_iter().all(|(a, b)| a == b)
}

/// Sixteen bits of the hash that the place does not use; never zero, which means empty.
fn tag(hash: u64) -> u16 {
    (hash >> 48) as u16 | 1
}

/// Gathers judgments record by record.
pub struct Builder<'c> {
    duplicates: Duplicates,
    corpus: Option<&'c Corpus>,
    names: Vec<Vec<u8>>,
    index: HashMap<Vec<u8>, u32, RandomState>,
    topics: Vec<Gathered>,
    current: usize,
    /// Copies that `duplicates` made disappear.
    pub dropped: u64,
}

impl<'c> Builder<'c> {
    /// An empty builder.
    pub fn new(duplicates: Duplicates, corpus: Option<&'c Corpus>) -> Self {
        Self {
            duplicates,
            corpus,
            names: Vec::new(),
            index: HashMap::default(),
            topics: Vec::new(),
            current: 0,
            dropped: 0,
        }
    }

    /// Reads a whole source of text; says whether it starts with a byte-order mark.
    pub fn read(&mut self, source: &Source, limits: Limits, notes: &mut Notes) -> bool {
        let mut twice = Vec::new();
        let mut marked = false;
        let outcome = source.read(Extent::Whole, limits, &mut Vec::new(), |part| {
            let text = without_mark(part, notes);
            marked |= text.len() + 3 == part.len();
            scan(text, Format::Judgments, notes, |topic, record| {
                if !limits.stop.load(Ordering::Relaxed) && !self.add(topic, record) {
                    twice.push((record.line, record.document.to_vec()));
                }
            });
        });
        for (line, document) in twice {
            notes
                .faults
                .add(u64::from(line), code::DUPLICATE, &document);
        }
        notes.fail(outcome);
        notes.faults.arrange();
        marked
    }

    /// Reads columns at hand.
    pub fn read_columns(&mut self, columns: &Columns, notes: &mut Notes) {
        for (topic, record) in columns.records() {
            notes.records += 1;
            if let Some(code) = record.fault() {
                notes.faults.add(
                    u64::from(record.line),
                    code,
                    record.value.to_string().as_bytes(),
                );
            } else if !self.add(topic, record) {
                notes
                    .faults
                    .add(u64::from(record.line), code::DUPLICATE, record.document);
            }
        }
    }

    /// Adds one judgment; false if it is a duplicate where none is allowed.
    pub fn add(&mut self, topic: &[u8], record: Record) -> bool {
        if self
            .names
            .get(self.current)
            .is_none_or(|name| name != topic)
        {
            self.current = self.topic(topic);
        }
        if self
            .corpus
            .is_some_and(|corpus| !corpus.contains(record.document))
        {
            return true;
        }
        let gathered = &mut self.topics[self.current];
        let fresh = gathered.documents.len();
        let place = *gathered
            .places
            .entry(record.document.to_vec())
            .or_insert(fresh);
        if place == fresh {
            gathered.documents.push(record.document.to_vec());
            gathered.grades.push(record.value);
            return true;
        }
        self.dropped += 1;
        if self.duplicates == Duplicates::Last {
            gathered.grades[place] = record.value;
        }
        self.duplicates != Duplicates::Refuse
    }

    fn topic(&mut self, topic: &[u8]) -> usize {
        if let Some(&known) = self.index.get(topic) {
            return known as usize;
        }
        let fresh = self.topics.len();
        let number = u32::try_from(fresh).expect("fewer than 2^32 topics");
        self.index.insert(topic.to_vec(), number);
        self.names.push(topic.to_vec());
        self.topics.push(Gathered::default());
        fresh
    }

    /// Closes the gathering and builds the tables.
    pub fn finish(self) -> Judgments {
        let mut judgments = Judgments {
            topics: Vec::new(),
            offsets: vec![0],
            grades: Vec::new(),
            index: self.index,
            hashing: RandomState::default(),
            tables: Vec::new(),
            documents: Vec::new(),
        };
        for (name, gathered) in self.names.iter().zip(self.topics) {
            let first = u32::try_from(judgments.grades.len()).expect("fewer than 2^32 judgments");
            let table = Table::new(&gathered.documents, first, &judgments.hashing);
            judgments.tables.push(table);
            judgments
                .topics
                .push(String::from_utf8_lossy(name).into_owned());
            judgments.documents.extend(gathered.documents);
            judgments.grades.extend(gathered.grades);
            judgments.offsets.push(judgments.grades.len());
        }
        judgments
    }
}

/// The hash of a document's identifier.
#[inline]
pub fn hash(hashing: &RandomState, document: &[u8]) -> u64 {
    use std::hash::Hasher;
    let mut hasher = hashing.build_hasher();
    hasher.write(document);
    hasher.finish()
}
