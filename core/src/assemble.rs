//! From rankings in pieces to one set of arrays, in an order that depends on nothing
//! but the names.

use crate::judgments::Judgments;
use crate::rank::Top;
use crate::runs::{Account, Block, Found};
use foldhash::quality::RandomState;
use std::collections::{HashMap, HashSet};

/// A topic of the result and the judged topic it belongs to.
pub type Topic = (String, u32);

/// The arrays; cells are pairs of a run and a topic, run by run.
#[derive(Default)]
pub struct Arrays {
    /// Where the entries of each cell start, and the end of the last.
    pub offsets: Vec<i64>,
    /// Ranks of judged documents.
    pub ranks: Vec<i32>,
    /// Their judgments.
    pub judged: Vec<i32>,
    /// Their ranks if ties were broken the other way round.
    pub mirrored: Vec<i32>,
    /// Documents retrieved, by cell.
    pub retrieved: Vec<i32>,
    /// Documents that share their score, by cell.
    pub tied: Vec<i32>,
    /// Judged documents among the first ten, by cell.
    pub judged_top: Vec<i32>,
    /// Where the top documents of each cell start, and the end of the last.
    pub top_offsets: Vec<i64>,
    /// Their scores.
    pub top_scores: Vec<f64>,
    /// Their judgments; from the number of judgments on, their place in `unjudged`.
    pub top_documents: Vec<i64>,
    /// Unjudged top documents with their judged topic, ordered by both.
    pub unjudged: Vec<(u32, String)>,
}

/// The topics of the result: judged ones to be kept anyway or seen, and borrowers, in
/// the order of the judgments, then of the names. Also gives each query's column.
pub fn topics(
    found: &[(Vec<Found>, Account)],
    judgments: &Judgments,
    lent: &[Topic],
    kept: Option<&[bool]>,
) -> (Vec<Topic>, Vec<Option<usize>>) {
    let judged = judgments.topics.iter().cloned().zip(0..);
    let all: Vec<Topic> = judged.chain(lent.iter().cloned()).collect();
    let mut wanted = vec![true; judgments.topics.len()];
    if let Some(kept) = kept {
        wanted.copy_from_slice(kept);
    }
    wanted.resize(all.len(), false);
    for place in blocks(found).filter_map(|(_, _, block)| block.place) {
        wanted[place.query as usize] = true;
    }
    let mut order: Vec<usize> = (0..all.len()).filter(|&query| wanted[query]).collect();
    order.sort_by(|&a, &b| (all[a].1, &all[a].0).cmp(&(all[b].1, &all[b].0)));
    let mut columns = vec![None; all.len()];
    for (column, &query) in order.iter().enumerate() {
        columns[query] = Some(column);
    }
    (
        order.into_iter().map(|query| all[query].clone()).collect(),
        columns,
    )
}

/// Every ranking with the run and the piece it is in.
fn blocks(found: &[(Vec<Found>, Account)]) -> impl Iterator<Item = (usize, &Found, &Block)> {
    found.iter().enumerate().flat_map(|(run, (pieces, _))| {
        let blocks = pieces
            .iter()
            .flat_map(|piece| piece.blocks.iter().map(move |b| (piece, b)));
        blocks.map(move |(piece, block)| (run, piece, block))
    })
}

/// Lays the rankings out, cell by cell.
///
/// # Panics
/// Never: every block's query has a column.
pub fn arrays(
    found: &[(Vec<Found>, Account)],
    judgments: &Judgments,
    columns: &[Option<usize>],
    width: usize,
    with_top: bool,
) -> Arrays {
    let cells = found.len() * width;
    let mut owners: Vec<Option<(&Found, &Block)>> = vec![None; cells];
    for (run, piece, block) in blocks(found) {
        if let Some(place) = block.place {
            let column = columns[place.query as usize].expect("seen, so wanted");
            owners[run * width + column] = Some((piece, block));
        }
    }
    let entries = owners
        .iter()
        .flatten()
        .map(|(_, block)| block.entries.len())
        .sum();
    let mut out = Arrays {
        offsets: Vec::with_capacity(cells + 1),
        ranks: Vec::with_capacity(entries),
        judged: Vec::with_capacity(entries),
        mirrored: Vec::with_capacity(entries),
        retrieved: vec![0; cells],
        tied: vec![0; cells],
        judged_top: vec![0; cells],
        ..Arrays::default()
    };
    out.offsets.push(0);
    for (cell, owner) in owners.iter().enumerate() {
        if let Some((piece, block)) = owner {
            let range = block.entries.clone();
            out.ranks
                .extend_from_slice(&piece.entries.ranks[range.clone()]);
            out.judged
                .extend_from_slice(&piece.entries.judged[range.clone()]);
            out.mirrored
                .extend_from_slice(&piece.entries.mirrored[range]);
            out.retrieved[cell] = block.counts.retrieved as i32;
            out.tied[cell] = block.counts.tied as i32;
            out.judged_top[cell] = block.counts.judged_top as i32;
        }
        out.offsets.push(out.ranks.len() as i64);
    }
    if with_top {
        top(&owners, judgments, &mut out);
    }
    out
}

/// Adds the top documents, numbering the unjudged ones by judged topic and name.
fn top(owners: &[Option<(&Found, &Block)>], judgments: &Judgments, out: &mut Arrays) {
    let mut names: HashSet<(u32, &[u8]), RandomState> = HashSet::default();
    for &(piece, block) in owners.iter().flatten() {
        let group = block.place.map_or(0, |place| place.group);
        let documents = piece.top.documents[block.top.clone()].iter();
        names.extend(documents.filter_map(|&document| Some((group, name(&piece.top, document)?))));
    }
    let mut names: Vec<_> = names.into_iter().collect();
    names.sort_unstable();
    let first = judgments.grades.len() as i64;
    let numbers: HashMap<_, _, RandomState> = names.iter().copied().zip(first..).collect();
    out.top_offsets.push(0);
    for owner in owners {
        if let &Some((piece, block)) = owner {
            let group = block.place.map_or(0, |place| place.group);
            out.top_scores
                .extend_from_slice(&piece.top.scores[block.top.clone()]);
            for &document in &piece.top.documents[block.top.clone()] {
                let name = name(&piece.top, document);
                out.top_documents
                    .push(name.map_or(document, |name| numbers[&(group, name)]));
            }
        }
        out.top_offsets.push(out.top_scores.len() as i64);
    }
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    out.unjudged = names
        .into_iter()
        .map(|(group, name)| (group, text(name)))
        .collect();
}

/// The name of an unjudged document; judged ones have none here.
fn name(top: &Top, document: i64) -> Option<&[u8]> {
    let place = usize::try_from(-1 - document).ok()?;
    Some(&top.names[place])
}
