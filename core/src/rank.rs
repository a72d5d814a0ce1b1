//! One topic of one run: order the documents, match them to judgments, count ties.

use crate::judgments::{Duplicates, Judgments};
use crate::table::{Slot, Table, hash};
use std::cmp::Ordering;

/// How documents of equal score are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// By identifier, descending, as `trec_eval` does.
    DocumentDescending,
    /// By identifier, ascending.
    DocumentAscending,
    /// By the rank column, then as `trec_eval` does.
    Rank,
}

/// A retrieved document.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a> {
    /// Its score.
    pub score: f64,
    /// Its identifier.
    pub document: &'a [u8],
    /// Its line, from 1.
    pub line: u32,
    /// Its rank column.
    pub rank: i32,
    /// Its judgment, [`UNJUDGED`] or [`DROPPED`].
    pub judged: i32,
}

/// The document has no judgment.
pub const UNJUDGED: i32 = -1;

/// The document is a copy that does not count.
const DROPPED: i32 = -2;

/// How to rank.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The order of ties.
    pub ties: Ties,
    /// What to do about a document that is there twice.
    pub duplicates: Duplicates,
    /// Which judgments are listed among the entries.
    pub listed: Vec<bool>,
    /// How many documents from the top are reported by name and score.
    pub top: usize,
}

/// The judged documents of rankings, one after the other.
#[derive(Debug, Default)]
pub struct Entries {
    /// Ranks, from 1.
    pub ranks: Vec<i32>,
    /// Judgments.
    pub judged: Vec<i32>,
    /// Ranks if ties were broken the other way round.
    pub mirrored: Vec<i32>,
}

/// The first documents of rankings, one after the other.
#[derive(Debug, Default)]
pub struct Top {
    /// Their scores.
    pub scores: Vec<f64>,
    /// Their judgments, or `-1 - i` for the i-th of `names`.
    pub documents: Vec<i64>,
    /// Identifiers of the unjudged ones.
    pub names: Vec<Box<[u8]>>,
}

/// What is known of a ranking beside its entries.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Documents retrieved.
    pub retrieved: u32,
    /// Documents that share their score with another.
    pub tied: u32,
    /// Judged documents among the first ten.
    pub judged_top: u32,
    /// Copies that do not count.
    pub dropped: u32,
}

/// Room that is used again for every ranking.
#[derive(Default)]
pub struct Ranker {
    /// Hashes of the documents.
    hashes: Vec<u64>,
    /// Places of documents seen, by hash: its upper half, and the place plus one.
    seen: Vec<u64>,
    /// Places of documents that may be judged.
    candidates: Vec<usize>,
    /// What the table holds first for each of them.
    heads: Vec<Slot>,
}

impl Ranker {
    /// Ranks `items` in place and adds the judged ones to `entries`.
    ///
    /// `topic` is the topic's number among the judgments, if it has any. Lines of
    /// duplicates go to `twice`.
    pub fn rank<'a>(
        &mut self,
        items: &mut Vec<Item<'a>>,
        topic: Option<u32>,
        judgments: &Judgments,
        rules: &Rules,
        (entries, top): (&mut Entries, &mut Top),
        twice: &mut Vec<Item<'a>>,
    ) -> Counts {
        self.hashes.clear();
        let hashes = items
            .iter()
            .map(|item| hash(&judgments.hashing, item.document));
        self.hashes.extend(hashes);
        if let Some(topic) = topic {
            let first = judgments.offsets[topic as usize] as i32;
            self.match_all(items, judgments.table(topic), first);
        }
        let dropped = self.settle_duplicates(items, rules, twice);
        if dropped > 0 {
            items.retain(|item| item.judged != DROPPED);
        }
        let mut counts = Counts {
            dropped,
            ..Counts::default()
        };
        if topic.is_some() {
            if !items.is_sorted_by(|a, b| compare(a, b, rules.ties) != Ordering::Greater) {
                items.sort_by(|a, b| compare(a, b, rules.ties));
            }
            list(items, rules, entries, &mut counts);
            head(items, rules.top, top);
        }
        counts
    }

    /// Matches every item to its judgment. The first loops fetch what the last
    /// one needs, with no branch to wait for, so that memory works on many items at once.
    fn match_all(&mut self, items: &mut [Item], table: &Table, first: i32) {
        self.candidates.resize(items.len(), 0);
        let mut count = 0;
        for (place, &hash) in self.hashes.iter().enumerate() {
            self.candidates[count] = place;
            count += usize::from(table.may_hold(hash));
        }
        let candidates = &self.candidates[..count];
        self.heads.clear();
        let heads = candidates
            .iter()
            .map(|&place| table.head(self.hashes[place]));
        self.heads.extend(heads);
        for (&place, &head) in candidates.iter().zip(&self.heads) {
            let judged = table.find(self.hashes[place], head, items[place].document);
            items[place].judged = judged.map_or(UNJUDGED, |number| first + number as i32);
        }
    }

    /// Finds documents that are there twice; says how many items were dropped.
    fn settle_duplicates<'a>(
        &mut self,
        items: &mut [Item<'a>],
        rules: &Rules,
        twice: &mut Vec<Item<'a>>,
    ) -> u32 {
        let size = (2 * items.len()).next_power_of_two();
        self.seen.clear();
        self.seen.resize(size, 0);
        let mut dropped = 0;
        for place in 0..items.len() {
            let document = items[place].document;
            let hash = self.hashes[place];
            let slot = self.slot(hash, items, document);
            let seen = self.seen[slot];
            if seen != 0 {
                let before = seen as u32 as usize - 1;
                twice.push(items[place]);
                dropped += 1;
                let keep = match rules.duplicates {
                    Duplicates::Last => true,
                    _ => compare(&items[place], &items[before], rules.ties) == Ordering::Less,
                };
                let loser = if keep { before } else { place };
                items[loser].judged = DROPPED;
                if !keep {
                    continue;
                }
            }
            self.seen[slot] = hash >> 32 << 32 | (place as u64 + 1);
        }
        dropped
    }

    /// The slot where the document is, or where it would go.
    #[inline]
    fn slot(&self, hash: u64, items: &[Item], document: &[u8]) -> usize {
        let mask = self.seen.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let seen = self.seen[slot];
            let same = seen >> 32 == hash >> 32
                && seen != 0
                && items[seen as u32 as usize - 1].document == document;
            if seen == 0 || same {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }
}

/// The order of a ranking: score descending, then as the rule for ties says.
fn compare(a: &Item, b: &Item, ties: Ties) -> Ordering {
    let by_score = b.score.partial_cmp(&a.score).expect("scores are numbers");
    by_score.then_with(|| match ties {
        Ties::DocumentDescending => b.document.cmp(a.document),
        Ties::DocumentAscending => a.document.cmp(b.document),
        Ties::Rank => a.rank.cmp(&b.rank).then_with(|| b.document.cmp(a.document)),
    })
}

/// Adds the judged documents of a ranking to the entries, group of ties by group.
fn list(items: &[Item], rules: &Rules, entries: &mut Entries, counts: &mut Counts) {
    counts.retrieved = items.len() as u32;
    let mut start = 0;
    while start < items.len() {
        let score = items[start].score;
        let mut end = start + 1;
        while end < items.len() && items[end].score == score {
            end += 1;
        }
        if end - start > 1 {
            counts.tied += (end - start) as u32;
        }
        for (place, item) in (start..).zip(&items[start..end]) {
            if item.judged < 0 {
                continue;
            }
            counts.judged_top += u32::from(place < 10);
            if rules.listed[item.judged as usize] {
                entries.ranks.push(place as i32 + 1);
                entries.judged.push(item.judged);
                entries.mirrored.push((start + end - place) as i32);
            }
        }
        start = end;
    }
}

/// Adds the first documents of a ranking, judged or not.
fn head(items: &[Item], top: usize, out: &mut Top) {
    for item in items.iter().take(top) {
        out.scores.push(item.score);
        if item.judged < 0 {
            out.names.push(item.document.into());
            out.documents.push(-(out.names.len() as i64));
        } else {
            out.documents.push(i64::from(item.judged));
        }
    }
}
