//! Which judgments a topic of a run is held against.

use crate::judgments::Judgments;
use foldhash::quality::RandomState;
use std::collections::HashMap;
use std::sync::Mutex;

/// Says to which judged topic a topic of a run belongs that has no judgments itself.
pub type Ask<'a> = &'a (dyn Fn(&str) -> Option<u32> + Sync);

/// Finds the judgments of topics, and numbers the topics that borrow them.
pub struct Resolver<'a> {
    judgments: &'a Judgments,
    ask: Option<Ask<'a>>,
    borrowed: Mutex<HashMap<Vec<u8>, Option<Place>, RandomState>>,
}

/// A topic's number among the topics of the result, and among the judgments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number in the result: judged topics first, then those that borrow.
    pub query: u32,
    /// Number in the judgments.
    pub group: u32,
}

impl<'a> Resolver<'a> {
    /// A resolver over these judgments.
    pub fn new(judgments: &'a Judgments, ask: Option<Ask<'a>>) -> Self {
        Self {
            judgments,
            ask,
            borrowed: Mutex::default(),
        }
    }

    /// The judgments.
    pub fn judgments(&self) -> &'a Judgments {
        self.judgments
    }

    /// Where a topic of a run belongs; nothing if nobody judges it.
    pub fn place(&self, topic: &[u8]) -> Option<Place> {
        if let Some(&group) = self.judgments.index.get(topic) {
            return Some(Place {
                query: group,
                group,
            });
        }
        let ask = self.ask?;
        // Asked outside the lock: the answer may have to wait for the interpreter.
        let known = self
            .borrowed
            .lock()
            .expect("no panic under it")
            .get(topic)
            .copied();
        if let Some(known) = known {
            return known;
        }
        let group = std::str::from_utf8(topic).ok().and_then(ask);
        let mut borrowed = self.borrowed.lock().expect("no panic under it");
        let lent = borrowed.values().flatten().count() + self.judgments.topics.len();
        *borrowed
            .entry(topic.to_vec())
            .or_insert(group.map(|group| Place {
                query: u32::try_from(lent).expect("fewer than 2^32 topics"),
                group,
            }))
    }

    /// The topics that borrow judgments, by number, with the topic they borrow from.
    pub fn lent(self) -> Vec<(String, u32)> {
        let borrowed = self.borrowed.into_inner().expect("no panic under it");
        let mut lent: Vec<_> = borrowed
            .into_iter()
            .filter_map(|(topic, place)| Some((place?, topic)))
            .collect();
        lent.sort_unstable_by_key(|(place, _)| place.query);
        lent.into_iter()
            .map(|(place, topic)| (String::from_utf8_lossy(&topic).into_owned(), place.group))
            .collect()
    }
}
