//! Rankings whose documents do not lie together: columns at hand, and topics whose
//! lines are scattered over a file.

use crate::rank::{Item, UNJUDGED};
use crate::scan::Record;
use foldhash::quality::RandomState;
use std::collections::HashMap;

/// A run as columns: identifiers in one text, row by row.
#[derive(Default)]
pub struct Columns {
    /// All identifiers, topic and document of each row in turn.
    pub text: Vec<u8>,
    /// Ends of topic and document of each row in `text`.
    pub ends: Vec<(usize, usize)>,
    /// Scores.
    pub scores: Vec<f64>,
    /// Rank column, empty unless it counts.
    pub ranks: Vec<i32>,
}

impl Columns {
    /// Topic and record of every row.
    pub fn records(&self) -> impl Iterator<Item = (&[u8], Record<'_>)> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|&(_, end)| end));
        starts.zip(&self.ends).zip(&self.scores).enumerate().map(
            move |(row, ((start, &(middle, end)), &value))| {
                let record = Record {
                    value,
                    document: &self.text[middle..end],
                    line: u32::try_from(row + 1).unwrap_or(u32::MAX),
                    rank: self.ranks.get(row).copied().unwrap_or(0),
                };
                (&self.text[start..middle], record)
            },
        )
    }
}

/// Documents gathered by topic, wherever their lines lie.
#[derive(Default)]
pub struct Groups {
    places: HashMap<Vec<u8>, usize, RandomState>,
    /// The groups, in order of first appearance.
    pub groups: Vec<Group>,
}

/// The documents of one topic.
#[derive(Default)]
pub struct Group {
    /// The topic.
    pub topic: Vec<u8>,
    text: Vec<u8>,
    rows: Vec<(f64, usize, u32, i32)>,
}

impl Groups {
    /// Adds one document to its topic.
    pub fn add(&mut self, topic: &[u8], item: &Item) {
        let group = self.group(topic);
        group.text.extend_from_slice(item.document);
        let end = group.text.len();
        group.rows.push((item.score, end, item.line, item.rank));
    }

    /// The group of a topic, which may stay empty.
    pub fn group(&mut self, topic: &[u8]) -> &mut Group {
        let fresh = self.groups.len();
        let place = match self.places.get(topic) {
            Some(&place) => place,
            None => *self.places.entry(topic.to_vec()).or_insert(fresh),
        };
        if place == fresh {
            self.groups.push(Group {
                topic: topic.to_vec(),
                ..Group::default()
            });
        }
        &mut self.groups[place]
    }
}

impl Group {
    /// The documents gathered, in the order they came.
    pub fn items(&self) -> Vec<Item<'_>> {
        let starts = std::iter::once(0).chain(self.rows.iter().map(|row| row.1));
        starts
            .zip(&self.rows)
            .map(|(start, &(score, end, line, rank))| Item {
                score,
                document: &self.text[start..end],
                line,
                rank,
                judged: UNJUDGED,
            })
            .collect()
    }
}
