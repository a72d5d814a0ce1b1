//! Judgments: grades by topic and document, and the tables that find them again.

use crate::corpus::Corpus;
use crate::fault::code;
use crate::gather::Columns;
use crate::scan::{Format, Notes, Record, scan, without_mark};
use crate::source::{Extent, Source};
use crate::table::Table;
use crate::unpack::Limits;
use foldhash::quality::RandomState;
use std::collections::HashMap;
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
}

impl Judgments {
    /// The document of a judgment.
    pub fn document(&self, judgment: usize) -> &[u8] {
        let topic = self.offsets.partition_point(|&first| first <= judgment) - 1;
        self.tables[topic].document(judgment - self.offsets[topic])
    }

    /// The table of a topic, which numbers its judgments from 0.
    pub fn table(&self, topic: u32) -> &Table {
        &self.tables[topic as usize]
    }
}

/// Gathers judgments record by record.
pub struct Builder<'c> {
    duplicates: Duplicates,
    corpus: Option<&'c Corpus>,
    names: Vec<Vec<u8>>,
    index: HashMap<Vec<u8>, u32, RandomState>,
    hashing: RandomState,
    tables: Vec<Table>,
    grades: Vec<Vec<f64>>,
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
            hashing: RandomState::default(),
            tables: Vec::new(),
            grades: Vec::new(),
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
        let grades = &mut self.grades[self.current];
        match self.tables[self.current].insert(record.document, &self.hashing) {
            Ok(()) => {
                grades.push(record.value);
                true
            }
            Err(number) => {
                self.dropped += 1;
                if self.duplicates == Duplicates::Last {
                    grades[number as usize] = record.value;
                }
                self.duplicates != Duplicates::Refuse
            }
        }
    }

    fn topic(&mut self, topic: &[u8]) -> usize {
        if let Some(&known) = self.index.get(topic) {
            return known as usize;
        }
        let fresh = self.names.len();
        let number = u32::try_from(fresh).expect("fewer than 2^32 topics");
        self.index.insert(topic.to_vec(), number);
        self.names.push(topic.to_vec());
        self.tables.push(Table::default());
        self.grades.push(Vec::new());
        fresh
    }

    /// Closes the gathering.
    pub fn finish(self) -> Judgments {
        let mut offsets = vec![0];
        for grades in &self.grades {
            offsets.push(offsets[offsets.len() - 1] + grades.len());
        }
        let name = |name: &Vec<u8>| String::from_utf8_lossy(name).into_owned();
        Judgments {
            topics: self.names.iter().map(name).collect(),
            offsets,
            grades: self.grades.concat(),
            index: self.index,
            hashing: self.hashing,
            tables: self.tables,
        }
    }
}
