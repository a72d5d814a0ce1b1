//! Which documents belong to a sub-corpus.

use foldhash::quality::RandomState;
use regex::bytes::Regex;
use std::collections::HashSet;

/// A rule that says of a document whether it belongs.
pub enum Corpus {
    /// Identifiers in which the pattern is found.
    Pattern(Regex),
    /// Identifiers in a list.
    Listed(HashSet<Vec<u8>, RandomState>),
    /// One of so many random shards, by a seeded hash of the identifier.
    Shard {
        /// How many shards there are.
        of: u64,
        /// Which one this is, from 0.
        index: u64,
        /// The seed.
        seed: u64,
    },
}

impl Corpus {
    /// Whether the document belongs.
    pub fn contains(&self, document: &[u8]) -> bool {
        match self {
            Self::Pattern(pattern) => pattern.is_match(document),
            Self::Listed(documents) => documents.contains(document),
            Self::Shard { of, index, seed } => scattered(document, *seed) % of == *index,
        }
    }
}

/// FNV-1a with a final mix: the same on every machine and in every release.
fn scattered(document: &[u8], seed: u64) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for &byte in document {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}
