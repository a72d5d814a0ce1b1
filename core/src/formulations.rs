//! Topics in the order one asks for: which formulation of each topic to take so that
//! the scores rise along the order, and how far that succeeds.
//!
//! Only the order of scores matters, so scores come as ranks within their pair of
//! system and corpus. No step depends on another order or pair, and all that is counted
//! are whole numbers, so neither threads nor portions change a bit of the result.

use crate::runs::spread;
use std::sync::atomic::AtomicBool;

/// Orders that one task works on.
const TASK: usize = 32;

/// Pairs whose longest chain is looked for.
const BEST: usize = 10;

/// Ranks that are compared side by side.
const LANES: usize = 8;

/// Stands behind the last rank; no rank is as high.
const NONE: i16 = i16::MAX;

/// What decides between formulations that keep the order alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// The lowest score.
    GreedyLow,
    /// The first in the order given.
    GreedyFirst,
    /// The score nearest to what the place in the order asks for.
    Quantile,
    /// The lowest score, and then changes of one topic at a time while one helps.
    Local,
    /// The lowest score, and for the best pairs also the longest rising chain.
    Bound,
}

/// The scores of one pair.
pub struct Pair {
    /// Where the cells of each topic start, and the end of the last.
    starts: Vec<usize>,
    /// Rank of every known cell, topic by topic, in the order given.
    ranks: Vec<i16>,
    /// Which of the cells given it was.
    cells: Vec<usize>,
    /// Scores of the same cells; empty unless the rule needs them.
    scores: Vec<f64>,
    /// The score that each place in an order asks for.
    targets: Vec<f64>,
    /// Highest rank of each topic.
    tops: Vec<i16>,
    /// The ranks of each topic again, in whole blocks of lanes.
    blocks: Vec<i16>,
    /// Where the blocks of each topic start, and the end of the last.
    block_starts: Vec<usize>,
}

impl Pair {
    /// Lays a pair out; nothing if a topic has no known cell. Cells of a topic are
    /// `starts[topic]..starts[topic + 1]`, and a negative rank is unknown.
    pub fn new(starts: &[usize], ranks: &[i16], scores: &[f64], targets: &[f64]) -> Option<Self> {
        let mut pair = Self {
            starts: vec![0],
            ranks: Vec::new(),
            cells: Vec::new(),
            scores: Vec::new(),
            targets: targets.to_vec(),
            tops: Vec::new(),
            blocks: Vec::new(),
            block_starts: vec![0],
        };
        for bounds in starts.windows(2) {
            let known = (bounds[0]..bounds[1]).filter(|&cell| ranks[cell] >= 0);
            for cell in known {
                pair.ranks.push(ranks[cell]);
                pair.cells.push(cell);
                pair.scores.extend(scores.get(cell));
            }
            let start = *pair.starts.last().expect("there is a first");
            pair.tops.push(*pair.ranks[start..].iter().max()?);
            pair.starts.push(pair.ranks.len());
            pair.blocks.extend(&pair.ranks[start..]);
            let whole = pair.blocks.len().next_multiple_of(LANES);
            pair.blocks.resize(whole, NONE);
            pair.block_starts.push(whole);
        }
        Some(pair)
    }

    fn topic(&self, topic: usize) -> std::ops::Range<usize> {
        self.starts[topic]..self.starts[topic + 1]
    }

    /// Picks for every topic of some orders; returns concordances minus discordances.
    ///
    /// The higher a score, the better it keeps the order, and those from which no pick
    /// separates the highest keep it alike. Orders, of so many topics each, lie side by
    /// side in lanes; lanes without one repeat the last.
    fn greedy(&self, orders: &[u32], topics: usize, rule: Rule, desk: &mut Desk) -> [i32; LANES] {
        let last = orders.len() / topics - 1;
        let mut sums = [0; LANES];
        desk.picks.clear();
        for place in 0..topics {
            let chosen: [usize; LANES] =
                std::array::from_fn(|lane| orders[lane.min(last) * topics + place] as usize);
            let tops = chosen.map(|topic| self.tops[topic]);
            let (counts, below) = standing(&desk.picks, &tops);
            for (sum, count) in sums.iter_mut().zip(counts) {
                *sum += i32::from(count) - place as i32;
            }
            desk.picks.push(std::array::from_fn(|lane| {
                let below = below[lane].min(tops[lane] - 1);
                self.pick(chosen[lane], below, place, rule)
            }));
        }
        sums
    }

    /// Chooses among the ranks of a topic above a rank, of which there is one.
    #[inline]
    fn pick(&self, topic: usize, below: i16, place: usize, rule: Rule) -> i16 {
        let mut above = self.topic(topic).filter(|&cell| self.ranks[cell] > below);
        let found = match rule {
            Rule::GreedyFirst => above.next(),
            Rule::Quantile => {
                let far = |cell: usize| (self.scores[cell] - self.targets[place]).abs();
                above.min_by(|&one, &other| {
                    let ranks = self.ranks[one].cmp(&self.ranks[other]);
                    far(one).total_cmp(&far(other)).then(ranks)
                })
            }
            _ => {
                let blocks = self.block_starts[topic]..self.block_starts[topic + 1];
                return lowest(&self.blocks[blocks], below);
            }
        };
        self.ranks[found.expect("the highest is above")]
    }

    /// The rank of a topic that keeps the most of an order, the lowest of several.
    fn fitting(&self, topic: usize, gain: impl Fn(i16) -> i32) -> i16 {
        let ranks = self.ranks[self.topic(topic)].iter().copied();
        ranks
            .max_by_key(|&rank| (gain(rank), -rank))
            .expect("a topic has a cell")
    }

    /// Changes the pick of one topic at a time, as long as one helps.
    fn improve(&self, order: &[u32], ranks: &mut [i16]) -> i32 {
        let mut helped = true;
        while helped {
            helped = false;
            for (place, &topic) in order.iter().enumerate() {
                let gain = |rank: i16| {
                    let before = ranks[..place].iter().map(|&other| sign(rank, other));
                    let after = &ranks[place + 1..];
                    let after = after.iter().map(|&other| sign(other, rank));
                    before.chain(after).sum::<i32>()
                };
                let best = self.fitting(topic as usize, gain);
                if gain(best) > gain(ranks[place]) {
                    ranks[place] = best;
                    helped = true;
                }
            }
        }
        concordance(ranks)
    }

    /// Picks the longest rising chain, of several the one that stays lowest, and for all
    /// other topics what keeps most of the order.
    fn chain(&self, order: &[u32]) -> (Vec<i16>, i32) {
        let mut chosen = self.longest(order);
        for (place, &topic) in order.iter().enumerate() {
            if chosen[place].is_some() {
                continue;
            }
            let (before, after) = (chosen[..place].iter(), chosen[place + 1..].iter());
            let gain = |rank: i16| {
                let before = before.clone().flatten().map(|&other| sign(rank, other));
                let after = after.clone().flatten().map(|&other| sign(other, rank));
                before.chain(after).sum::<i32>()
            };
            let best = self.fitting(topic as usize, gain);
            chosen[place] = Some(best);
        }
        let ranks: Vec<i16> = chosen.into_iter().flatten().collect();
        let reached = concordance(&ranks);
        (ranks, reached)
    }

    /// The ranks of the longest rising chain, at the places of its topics.
    fn longest(&self, order: &[u32]) -> Vec<Option<i16>> {
        // What ends the lowest chain of each length, and what stands before each cell.
        let mut ends: Vec<(usize, usize)> = Vec::new();
        let mut before: Vec<Option<(usize, usize)>> = vec![None; self.ranks.len()];
        for (place, &topic) in order.iter().enumerate() {
            let mut cells: Vec<usize> = self.topic(topic as usize).collect();
            // From the highest down, so that no chain holds a topic twice.
            cells.sort_by_key(|&cell| std::cmp::Reverse(self.ranks[cell]));
            for cell in cells {
                let rank = self.ranks[cell];
                let length = ends.partition_point(|&(_, end)| self.ranks[end] < rank);
                before[cell] = length.checked_sub(1).map(|last| ends[last]);
                match ends.get_mut(length) {
                    None => ends.push((place, cell)),
                    Some(end) if self.ranks[end.1] > rank => *end = (place, cell),
                    Some(_) => {}
                }
            }
        }
        let mut chosen = vec![None; order.len()];
        let mut next = ends.last().copied();
        while let Some((place, cell)) = next {
            chosen[place] = Some(self.ranks[cell]);
            next = before[cell];
        }
        chosen
    }

    /// Works out some orders, as many as there are lanes at most.
    fn solve(&self, orders: &[u32], topics: usize, rule: Rule, desk: &mut Desk) -> [i32; LANES] {
        let mut sums = self.greedy(orders, topics, rule, desk);
        if rule == Rule::Local {
            for (lane, order) in orders.chunks_exact(topics).enumerate() {
                let mut ranks = desk.lane(lane);
                sums[lane] = self.improve(order, &mut ranks);
            }
        }
        sums
    }

    /// The cells picked for every place of an order, and what they reach.
    pub fn picks(&self, order: &[u32], rule: Rule) -> (Vec<usize>, i32) {
        let mut desk = Desk::default();
        let [mut reached, ..] = self.greedy(order, order.len(), rule, &mut desk);
        let mut ranks = desk.lane(0);
        if rule == Rule::Local {
            reached = self.improve(order, &mut ranks);
        }
        if rule == Rule::Bound {
            let (others, chained) = self.chain(order);
            if chained > reached {
                (reached, ranks) = (chained, others);
            }
        }
        let cells = order.iter().zip(&ranks).map(|(&topic, &rank)| {
            let mut cells = self.topic(topic as usize);
            let cell = cells.find(|&cell| self.ranks[cell] == rank);
            self.cells[cell.expect("it was picked")]
        });
        (cells.collect(), reached)
    }
}

/// What a thread works with: the ranks picked, place by place, of orders side by side.
#[derive(Default)]
struct Desk {
    picks: Vec<[i16; LANES]>,
}

impl Desk {
    fn lane(&self, lane: usize) -> Vec<i16> {
        self.picks.iter().map(|picks| picks[lane]).collect()
    }
}

/// The lowest of some ranks above a rank.
#[inline]
fn lowest(ranks: &[i16], below: i16) -> i16 {
    let mut least = [NONE; LANES];
    for block in ranks.chunks_exact(LANES) {
        for (least, &rank) in least.iter_mut().zip(block) {
            *least = (*least).min(if rank > below { rank } else { NONE });
        }
    }
    least.into_iter().min().unwrap_or(NONE)
}

/// How many picks stand below a top, plus how many do not exceed it; and the highest of
/// the latter, -1 if there is none. Of every lane.
#[inline]
fn standing(picks: &[[i16; LANES]], tops: &[i16; LANES]) -> ([i16; LANES], [i16; LANES]) {
    let mut counts = [0; LANES];
    let mut below = [-1; LANES];
    for picks in picks {
        for lane in 0..LANES {
            let (pick, top) = (picks[lane], tops[lane]);
            counts[lane] += i16::from(pick < top) + i16::from(pick <= top);
            below[lane] = below[lane].max(if pick <= top { pick } else { -1 });
        }
    }
    (counts, below)
}

fn sign(one: i16, other: i16) -> i32 {
    i32::from(one > other) - i32::from(one < other)
}

fn concordance(ranks: &[i16]) -> i32 {
    let pairs = ranks.iter().enumerate();
    pairs
        .map(|(place, &rank)| {
            ranks[..place]
                .iter()
                .map(|&other| sign(rank, other))
                .sum::<i32>()
        })
        .sum()
}

/// What the pairs reach for one order, in concordances minus discordances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reached {
    /// Of the best pair.
    pub best: i32,
    /// Which pair that is, the first of several.
    pub pair: u32,
    /// Sum over all pairs.
    pub total: i64,
}

/// Works every order out for every pair; empty if it was stopped.
pub fn experiment(
    pairs: &[Pair],
    orders: &[u32],
    topics: usize,
    rule: Rule,
    threads: usize,
    stop: &AtomicBool,
) -> Vec<Reached> {
    let tasks: Vec<_> = orders.chunks(TASK * topics).collect();
    let parts = spread(&tasks, threads, stop, |desk: &mut Desk, orders| {
        portion(pairs, orders, topics, rule, desk)
    });
    let parts: Option<Vec<_>> = parts.into_iter().collect();
    parts.map_or_else(Vec::new, |parts| parts.concat())
}

/// Goes through the pairs one by one, each of which stays at hand for all orders.
fn portion(
    pairs: &[Pair],
    orders: &[u32],
    topics: usize,
    rule: Rule,
    desk: &mut Desk,
) -> Vec<Reached> {
    let count = orders.len() / topics;
    let mut reached = vec![
        Reached {
            best: i32::MIN,
            pair: 0,
            total: 0
        };
        count
    ];
    // What every pair reaches for each order, where the best are to be told.
    let mut sums = vec![Vec::new(); if rule == Rule::Bound { count } else { 0 }];
    for (number, pair) in (0..).zip(pairs) {
        for (block, lanes) in orders.chunks(LANES * topics).enumerate() {
            let solved = pair.solve(lanes, topics, rule, desk);
            for (at, sum) in (block * LANES..count).zip(solved) {
                let reached = &mut reached[at];
                reached.total += i64::from(sum);
                if sum > reached.best {
                    (reached.best, reached.pair) = (sum, number);
                }
                if let Some(sums) = sums.get_mut(at) {
                    sums.push((std::cmp::Reverse(sum), number));
                }
            }
        }
    }
    let orders = orders.chunks_exact(topics);
    for ((order, reached), sums) in orders.zip(&mut reached).zip(&mut sums) {
        sums.sort_unstable();
        for &(_, number) in sums.iter().take(BEST) {
            let (_, sum) = pairs[number as usize].chain(order);
            if sum > reached.best {
                (reached.best, reached.pair) = (sum, number);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: [Rule; 5] = [
        Rule::GreedyLow,
        Rule::GreedyFirst,
        Rule::Quantile,
        Rule::Local,
        Rule::Bound,
    ];

    fn pair(ranks: &[i16]) -> Pair {
        let scores: Vec<f64> = ranks.iter().map(|&rank| f64::from(rank)).collect();
        Pair::new(&[0, 2, 4, 6], ranks, &scores, &[0.0, 2.0, 4.0]).expect("no topic is empty")
    }

    #[test]
    fn a_topic_without_scores_is_refused() {
        assert!(Pair::new(&[0, 1, 2], &[0, -1], &[], &[]).is_none());
    }

    #[test]
    fn every_rule_finds_the_order_that_there_is() {
        let pair = pair(&[0, 3, 1, 4, 2, 5]);
        for rule in RULES {
            assert_eq!(pair.picks(&[0, 1, 2], rule).1, 3);
        }
        let picks = |rule| pair.picks(&[1, 0, 2], rule).0;
        assert_eq!(picks(Rule::GreedyLow), [2, 1, 5]);
        assert_eq!(picks(Rule::GreedyFirst), [2, 1, 5]);
    }

    #[test]
    fn picks_that_tie_count_nothing() {
        for rule in RULES {
            assert_eq!(pair(&[1, 1, 1, 1, 1, 1]).picks(&[2, 0, 1], rule).1, 0);
        }
    }

    #[test]
    fn threads_change_nothing_and_the_first_best_pair_counts() {
        let pairs = [
            pair(&[5, 4, 3, 2, 1, 0]),
            pair(&[0, 3, 1, 4, 2, 5]),
            pair(&[0; 6]),
        ];
        let orders: Vec<u32> = [0, 1, 2, 2, 1, 0].repeat(400);
        let stop = AtomicBool::new(false);
        for rule in RULES {
            let one = experiment(&pairs, &orders, 3, rule, 1, &stop);
            assert_eq!(one, experiment(&pairs, &orders, 3, rule, 3, &stop));
            assert_eq!(one.len(), 800);
            assert_eq!((one[0].best, one[0].pair), (3, 1));
            assert_eq!((one[1].best, one[1].pair), (3, 0));
        }
    }
}
