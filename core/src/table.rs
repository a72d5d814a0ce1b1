//! The judged documents of one topic, found by their identifiers.

use foldhash::quality::RandomState;
use std::hash::{BuildHasher, Hasher};

/// An open-addressing table. Tags are probed first: they are small enough to stay in
/// the nearest cache while a ranking is matched.
pub struct Table {
    tags: Vec<u16>,
    slots: Vec<Slot>,
    text: Vec<u8>,
    ends: Vec<u32>,
}

/// A document's number, and where its identifier is in the table's text.
#[derive(Clone, Copy, Default)]
pub struct Slot {
    number: u32,
    start: u32,
    end: u32,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            tags: vec![0; 2],
            slots: vec![Slot::default(); 2],
            text: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl Table {
    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The identifier of a document, by its number.
    pub fn document(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[number] as usize]
    }

    /// Adds a document under the next number, or says under which it is there already.
    ///
    /// # Errors
    /// The number of the document that is there.
    pub fn insert(&mut self, document: &[u8], hashing: &RandomState) -> Result<(), u32> {
        let hash = hash(hashing, document);
        if let Some(number) = self.find(hash, self.head(hash), document) {
            return Err(number);
        }
        if 2 * (self.len() + 1) > self.tags.len() {
            self.grow(hashing);
        }
        let short = |length: usize| u32::try_from(length).expect("a topic's text fits 4 GiB");
        let start = short(self.text.len());
        self.text.extend_from_slice(document);
        let slot = Slot {
            number: short(self.len()),
            start,
            end: short(self.text.len()),
        };
        self.ends.push(slot.end);
        self.put(hash, slot);
        Ok(())
    }

    fn grow(&mut self, hashing: &RandomState) {
        let size = 2 * self.tags.len();
        let tags = std::mem::replace(&mut self.tags, vec![0; size]);
        let slots = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        let taken = tags.into_iter().zip(slots).filter(|&(tag, _)| tag != 0);
        for (_, slot) in taken {
            self.put(hash(hashing, self.text_of(slot)), slot);
        }
    }

    fn put(&mut self, hash: u64, slot: Slot) {
        let mut place = self.place(hash);
        while self.tags[place] != 0 {
            place = (place + 1) & (self.tags.len() - 1);
        }
        self.tags[place] = tag(hash);
        self.slots[place] = slot;
    }

    fn place(&self, hash: u64) -> usize {
        hash as usize & (self.tags.len() - 1)
    }

    fn text_of(&self, slot: Slot) -> &[u8] {
        &self.text[slot.start as usize..slot.end as usize]
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

    /// The number of a document, given the head of its hash.
    #[inline]
    pub fn find(&self, hash: u64, head: Slot, document: &[u8]) -> Option<u32> {
        let wanted = tag(hash);
        let mut place = self.place(hash);
        let mut slot = head;
        while self.tags[place] != 0 {
            if self.tags[place] == wanted && same(self.text_of(slot), document) {
                return Some(slot.number);
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
    let mut words = left.chunks_exact(8).zip(right.chunks_exact(8));
    a == b && words.all(|(a, b)| a == b)
}

/// Sixteen bits of the hash that the place does not use; never zero, which means empty.
fn tag(hash: u64) -> u16 {
    (hash >> 48) as u16 | 1
}

/// The hash of a document's identifier.
#[inline]
pub fn hash(hashing: &RandomState, document: &[u8]) -> u64 {
    let mut hasher = hashing.build_hasher();
    hasher.write(document);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_was_added_and_nothing_else() {
        let hashing = RandomState::default();
        let mut table = Table::default();
        let names: Vec<String> = (0..1000).map(|number| format!("doc-{number}")).collect();
        for name in &names {
            assert_eq!(table.insert(name.as_bytes(), &hashing), Ok(()));
        }
        for (number, name) in (0..).zip(&names) {
            let name = name.as_bytes();
            let hash = hash(&hashing, name);
            assert!(table.may_hold(hash));
            assert_eq!(table.find(hash, table.head(hash), name), Some(number));
            assert_eq!(table.document(number as usize), name);
            assert_eq!(table.insert(name, &hashing), Err(number));
        }
        let other = hash(&hashing, b"doc-1000");
        assert_eq!(table.find(other, table.head(other), b"doc-1000"), None);
    }
}
