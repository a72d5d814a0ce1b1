//! Runs: many sources, read and ranked in parallel, piece by piece.
//!
//! A piece of a source holds whole blocks of lines of one topic, and each block is
//! ranked as soon as it is read. A topic whose lines lie apart in the source is
//! noticed afterwards and gathered in a second pass.

use crate::corpus::Corpus;
use crate::fault::{Faults, code};
use crate::gather::{Columns, Groups};
use crate::judgments::Duplicates;
use crate::rank::{Counts, Entries, Item, Ranker, Rules, Ties, Top, UNJUDGED};
use crate::resolve::{Place, Resolver};
use crate::scan::{Format, Notes, Record, remember, scan, without_mark};
use crate::source::{Extent, Source};
use crate::unpack::Limits;
use foldhash::quality::RandomState;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How runs are read.
pub struct Options {
    /// How rankings are made.
    pub rules: Rules,
    /// Whether scores are compared in single precision.
    pub single: bool,
    /// The documents that count, if not all do.
    pub corpus: Option<Corpus>,
    /// What an archive may unpack to.
    pub max_bytes: u64,
    /// How many threads work.
    pub threads: usize,
}

impl Options {
    fn limits<'a>(&self, stop: &'a AtomicBool) -> Limits<'a> {
        Limits {
            max_bytes: self.max_bytes,
            stop,
        }
    }
}

/// One run to read.
pub enum Run {
    /// Text.
    Text(Source),
    /// Columns at hand.
    Columns(Columns),
}

/// One topic's ranking in a piece.
pub struct Block {
    topic: Box<[u8]>,
    /// Where it belongs; nothing without judgments.
    pub place: Option<Place>,
    /// What is known of it.
    pub counts: Counts,
    /// Its part of the piece's entries.
    pub entries: Range<usize>,
    /// Its part of the piece's top documents.
    pub top: Range<usize>,
    twice: Vec<(u32, Box<[u8]>)>,
}

/// What reading a piece of a source gave.
#[derive(Default)]
pub struct Found {
    /// Rankings.
    pub blocks: Vec<Block>,
    /// Their judged documents.
    pub entries: Entries,
    /// Their first documents.
    pub top: Top,
    notes: Notes,
    known: HashSet<Box<[u8]>, RandomState>,
    apart: HashSet<Box<[u8]>, RandomState>,
    marked: bool,
    /// Lines are counted from the start of the source, not of the piece.
    absolute: bool,
}

/// What is known of a run beside its rankings.
#[derive(Default)]
pub struct Account {
    /// Faults.
    pub faults: Faults,
    /// Lines.
    pub lines: u64,
    /// Records.
    pub records: u64,
    /// Comment lines before the first record.
    pub comments: Vec<u8>,
    /// Different run tags.
    pub tags: Vec<Vec<u8>>,
    /// How many topics have judgments.
    pub known: u64,
    /// Topics without judgments, in order of appearance.
    pub strangers: Vec<String>,
    /// Copies of documents that do not count.
    pub dropped: u64,
    /// Whether the text starts with a byte-order mark.
    pub marked: bool,
}

/// Reads all runs. The result does not depend on the number of threads.
pub fn read(
    runs: &[Run],
    resolver: &Resolver,
    options: &Options,
    stop: &AtomicBool,
) -> Vec<(Vec<Found>, Account)> {
    let mut tasks = Vec::new();
    let mut refused = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        match run {
            Run::Columns(_) => tasks.push((number, Extent::Whole)),
            Run::Text(source) => match source.extents() {
                Ok(extents) => tasks.extend(extents.into_iter().map(|extent| (number, extent))),
                Err(fault) => refused.push((number, fault)),
            },
        }
    }
    let pieces = spread(
        &tasks,
        options.threads,
        stop,
        |worker: &mut Worker, &(number, extent)| {
            worker.first_pass(&runs[number], extent, resolver, options, stop)
        },
    );
    let mut found: Vec<(Vec<Found>, Account)> = runs.iter().map(|_| Default::default()).collect();
    for ((number, _), piece) in tasks.iter().zip(pieces) {
        found[*number].0.extend(piece);
    }
    for (number, fault) in refused {
        let faults = &mut found[number].1.faults;
        faults.add(fault.line, fault.code, fault.text.as_bytes());
    }
    let apart: Vec<_> = found
        .iter_mut()
        .enumerate()
        .filter_map(|(number, (pieces, _))| Some((number, lying_apart(pieces)?)))
        .collect();
    let gathered = spread(
        &apart,
        options.threads,
        stop,
        |worker: &mut Worker, (number, topics)| {
            worker.second_pass(&runs[*number], topics, resolver, options, stop)
        },
    );
    for ((number, _), piece) in apart.iter().zip(gathered) {
        found[*number].0.extend(piece);
    }
    for (pieces, account) in &mut found {
        settle(pieces, account, options);
    }
    found
}

/// Runs tasks over threads; results in the order of the tasks, `None` once stopped.
pub fn spread<T: Sync, W: Default, R: Send>(
    tasks: &[T],
    threads: usize,
    stop: &AtomicBool,
    work: impl Fn(&mut W, &T) -> R + Sync,
) -> Vec<Option<R>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, tasks.len().max(1)) {
            scope.spawn(|| {
                let mut worker = W::default();
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(number) else { break };
                    let result = work(&mut worker, task);
                    done.lock()
                        .expect("no panic under it")
                        .push((number, result));
                }
            });
        }
    });
    let mut results: Vec<Option<R>> = tasks.iter().map(|_| None).collect();
    for (number, result) in done.into_inner().expect("no panic under it") {
        results[number] = Some(result);
    }
    results
}

/// Topics with lines in several places of a source; their blocks are taken out.
fn lying_apart(pieces: &mut [Found]) -> Option<HashSet<Box<[u8]>, RandomState>> {
    let mut seen = HashSet::<&[u8], RandomState>::default();
    let mut apart = HashSet::<Box<[u8]>, RandomState>::default();
    for piece in pieces.iter() {
        apart.extend(piece.apart.iter().cloned());
        for block in &piece.blocks {
            if !seen.insert(&block.topic) {
                apart.insert(block.topic.clone());
            }
        }
    }
    if apart.is_empty() {
        return None;
    }
    for piece in pieces {
        piece.blocks.retain(|block| !apart.contains(&block.topic));
    }
    Some(apart)
}

/// Sums up what the pieces of one run say, and turns duplicates into faults.
fn settle(pieces: &mut [Found], account: &mut Account, options: &Options) {
    for piece in pieces {
        let lines = if piece.absolute { 0 } else { account.lines };
        for block in &piece.blocks {
            account.dropped += u64::from(block.counts.dropped);
            if block.place.is_some() {
                account.known += 1;
            } else {
                let topic = String::from_utf8_lossy(&block.topic);
                account.strangers.push(topic.into_owned());
            }
            if options.rules.duplicates == Duplicates::Refuse {
                for (line, document) in &block.twice {
                    piece
                        .notes
                        .faults
                        .add(u64::from(*line), code::DUPLICATE, document);
                }
            }
        }
        account
            .faults
            .absorb(std::mem::take(&mut piece.notes.faults), lines);
        account.lines += piece.notes.lines;
        account.records += piece.notes.records;
        account.marked |= piece.marked;
        if account.records == piece.notes.records {
            account.comments.append(&mut piece.notes.comments);
        }
        for tag in &piece.notes.tags {
            remember(&mut account.tags, tag);
        }
    }
    account.faults.arrange();
    if account.records == 0 && account.faults.count == 0 {
        account.faults.add(0, code::EMPTY, b"");
    }
}

#[derive(Default)]
struct Worker {
    buffer: Vec<u8>,
    ranker: Ranker,
}

impl Worker {
    fn first_pass(
        &mut self,
        run: &Run,
        extent: Extent,
        resolver: &Resolver,
        options: &Options,
        stop: &AtomicBool,
    ) -> Found {
        let mut found = Found::default();
        let source = match run {
            Run::Text(source) => source,
            Run::Columns(columns) => {
                found.notes.records = columns.scores.len() as u64;
                let mut groups = Groups::default();
                for (topic, record) in columns.records() {
                    if let Some(code) = record.fault() {
                        found.notes.faults.add(
                            u64::from(record.line),
                            code,
                            record.value.to_string().as_bytes(),
                        );
                    } else {
                        gather(&mut groups, topic, &record, options);
                    }
                }
                found.rank_all(groups, &mut self.ranker, resolver, options);
                return found;
            }
        };
        let Self { buffer, ranker } = self;
        let outcome = source.read(extent, options.limits(stop), buffer, |part| {
            let text = if extent == Extent::Whole || matches!(extent, Extent::Between(0, _)) {
                without_mark(part, &mut found.notes)
            } else {
                part
            };
            found.marked |= text.len() + 3 == part.len();
            blocks(text, ranker, resolver, options, &mut found);
        });
        found.notes.fail(outcome);
        found
    }

    /// Gathers the lines of topics that lie apart and ranks them.
    fn second_pass(
        &mut self,
        run: &Run,
        topics: &HashSet<Box<[u8]>, RandomState>,
        resolver: &Resolver,
        options: &Options,
        stop: &AtomicBool,
    ) -> Found {
        let mut found = Found {
            absolute: true,
            ..Found::default()
        };
        let Run::Text(source) = run else { return found };
        let mut groups = Groups::default();
        let mut notes = Notes::default();
        let Self { buffer, ranker } = self;
        let mut part = |part: &[u8]| {
            let text = without_mark(part, &mut notes);
            scan(text, format(options), &mut notes, |topic, record| {
                if topics.contains(topic) {
                    gather(&mut groups, topic, &record, options);
                }
            });
        };
        // In the same extents as before, so that the same limits hold.
        let outcome = source.extents().and_then(|extents| {
            let limits = options.limits(stop);
            let mut extents = extents.into_iter();
            extents.try_for_each(|extent| source.read(extent, limits, buffer, &mut part))
        });
        found.notes.fail(outcome);
        found.rank_all(groups, ranker, resolver, options);
        found
    }
}

fn format(options: &Options) -> Format {
    Format::Run {
        ranks: options.rules.ties == Ties::Rank,
    }
}

fn item<'a>(record: &Record<'a>, options: &Options) -> Item<'a> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "single precision is asked for"
    )]
    let score = if options.single {
        f64::from(record.value as f32)
    } else {
        record.value
    };
    Item {
        score,
        document: record.document,
        line: record.line,
        rank: record.rank,
        judged: UNJUDGED,
    }
}

fn gather(groups: &mut Groups, topic: &[u8], record: &Record, options: &Options) {
    if belongs(record.document, options) {
        groups.add(topic, &item(record, options));
    } else {
        groups.group(topic);
    }
}

fn belongs(document: &[u8], options: &Options) -> bool {
    options
        .corpus
        .as_ref()
        .is_none_or(|corpus| corpus.contains(document))
}

/// Ranks the blocks of a text one by one.
fn blocks(
    text: &[u8],
    ranker: &mut Ranker,
    resolver: &Resolver,
    options: &Options,
    found: &mut Found,
) {
    let mut notes = std::mem::take(&mut found.notes);
    let mut items: Vec<Item> = Vec::new();
    let mut current: Option<&[u8]> = None;
    let mut skipped = false;
    scan(text, format(options), &mut notes, |topic, record| {
        if current.is_none_or(|current| !std::ptr::eq(current, topic) && current != topic) {
            if let Some(current) = current.filter(|_| !skipped) {
                found.rank(current, &mut items, ranker, resolver, options);
            }
            items.clear();
            current = Some(topic);
            skipped = found.returns(topic);
        }
        if !skipped && belongs(record.document, options) {
            items.push(item(&record, options));
        }
    });
    if let Some(current) = current.filter(|_| !skipped) {
        found.rank(current, &mut items, ranker, resolver, options);
    }
    found.notes = notes;
}

impl Found {
    /// Whether a topic was here before; if so, it will have to be gathered.
    fn returns(&mut self, topic: &[u8]) -> bool {
        let known = self.known.contains(topic);
        if known && !self.apart.contains(topic) {
            self.apart.insert(topic.into());
        }
        known
    }

    fn rank_all(
        &mut self,
        groups: Groups,
        ranker: &mut Ranker,
        resolver: &Resolver,
        options: &Options,
    ) {
        for group in groups.groups {
            self.rank(&group.topic, &mut group.items(), ranker, resolver, options);
        }
    }

    fn rank<'a>(
        &mut self,
        topic: &[u8],
        items: &mut Vec<Item<'a>>,
        ranker: &mut Ranker,
        resolver: &Resolver,
        options: &Options,
    ) {
        let place = resolver.place(topic);
        let (entries, top) = (self.entries.ranks.len(), self.top.scores.len());
        let mut twice = Vec::new();
        let counts = ranker.rank(
            items,
            place.map(|place| place.group),
            resolver.judgments(),
            &options.rules,
            (&mut self.entries, &mut self.top),
            &mut twice,
        );
        self.known.insert(topic.into());
        self.blocks.push(Block {
            topic: topic.into(),
            place,
            counts,
            entries: entries..self.entries.ranks.len(),
            top: top..self.top.scores.len(),
            twice: twice
                .iter()
                .map(|item| (item.line, item.document.into()))
                .collect(),
        });
    }
}
