//! What chance does to a pool: its gains are shuffled over its documents, one shuffle
//! for all systems, and counted is how many systems come out above their mark.
//!
//! Shuffle number b of a topic takes its random words from a generator that is nothing
//! but a function of the topic's key and b, so neither the other topics nor the threads
//! change a bit of the result. Most documents of a pool share one gain (none): only the
//! places of the others are drawn. Several shuffles are added up side by side.

use crate::philox::Philox;
use crate::runs::spread;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shuffles that one task makes, if that does not make too many tasks of a topic.
const TASK: u64 = 1024;

/// Tasks that a topic is split into at most.
const TASKS: u64 = 1024;

/// Shuffles that are added up side by side.
const LANES: usize = 8;

/// One topic, as it is shuffled.
pub struct Contest {
    key: [u64; 2],
    /// The gain that most documents have.
    most: f64,
    /// Gains of the others.
    gains: Vec<f64>,
    /// Where a document's gain is noted: in a slot of its own if a system listed it.
    slots: Vec<u32>,
    noted: u32,
    /// Slot and weight of every listed document, system by system.
    entries: Vec<(u32, f64)>,
    /// Where the entries of each system start, and the end of the last.
    starts: Vec<usize>,
    targets: Vec<f64>,
    observed: Vec<f64>,
    rival: Option<usize>,
}

/// What a topic is made of.
pub struct Parts<'a> {
    /// Key of its random streams.
    pub key: [u64; 2],
    /// Gain of each document of the pool.
    pub gains: &'a [f64],
    /// Place in the pool of the document at each rank, system by system; negative where
    /// no document of the pool stands.
    pub places: &'a [i32],
    /// Weight of each rank.
    pub weights: &'a [f64],
    /// Sum that each system must exceed.
    pub targets: &'a [f64],
    /// Sum that each system had.
    pub observed: &'a [f64],
    /// The system whose sum is taken from all others'.
    pub rival: Option<usize>,
}

impl Contest {
    /// Lays a topic out for shuffling; nothing if its parts do not fit together.
    pub fn new(parts: &Parts) -> Option<Self> {
        let systems = parts.targets.len();
        let size = u32::try_from(parts.gains.len()).ok()?;
        let fits = parts.observed.len() == systems
            && parts.places.len() == systems * parts.weights.len()
            && parts.places.iter().all(|&place| place < size as i32)
            && parts.rival.is_none_or(|rival| rival < systems);
        if !fits {
            return None;
        }
        let mut slots = vec![u32::MAX; parts.gains.len()];
        let mut noted = 0;
        let mut entries = Vec::new();
        let mut starts = vec![0];
        for system in 0..systems {
            let width = parts.weights.len();
            let places = &parts.places[system * width..(system + 1) * width];
            for (&place, &weight) in places.iter().zip(parts.weights) {
                let Ok(place) = usize::try_from(place) else {
                    continue;
                };
                if slots[place] == u32::MAX {
                    slots[place] = noted;
                    noted += 1;
                }
                entries.push((slots[place], weight));
            }
            starts.push(entries.len());
        }
        // What nobody listed shares a slot that nobody reads.
        for slot in &mut slots {
            *slot = (*slot).min(noted);
        }
        let most = most_common(parts.gains);
        Some(Self {
            key: parts.key,
            most,
            gains: parts
                .gains
                .iter()
                .copied()
                .filter(|&gain| gain != most)
                .collect(),
            slots,
            noted,
            entries,
            starts,
            targets: parts.targets.to_vec(),
            observed: parts.observed.to_vec(),
            rival: parts.rival,
        })
    }

    fn systems(&self) -> usize {
        self.targets.len()
    }

    /// Makes some of the shuffles.
    fn shuffle(&self, mut numbers: Range<u64>, desk: &mut Desk) -> Counts {
        let mut counts = Counts::none(self.systems());
        let mut random = Philox::new(self.key);
        desk.order.clone_from(&self.slots);
        while !numbers.is_empty() {
            desk.noted.clear();
            desk.noted
                .resize(self.noted as usize + 1, [self.most; LANES]);
            let lanes = (numbers.end - numbers.start).min(LANES as u64) as usize;
            for (lane, number) in (0..lanes).zip(&mut numbers) {
                random.open(number, self.gains.len(), &mut desk.drawn);
                self.deal(&mut random, lane, desk);
            }
            self.count(lanes, &desk.noted, &mut counts);
        }
        counts
    }

    /// Deals the gains out to documents, one after the other.
    #[inline]
    fn deal(&self, random: &mut Philox, lane: usize, desk: &mut Desk) {
        let Desk {
            order,
            drawn,
            noted,
        } = desk;
        let left = order.len() as u32;
        for ((turn, &gain), drawn) in (0..).zip(&self.gains).zip(drawn.iter_mut()) {
            *drawn = turn + random.below(*drawn, left - turn);
            let slot = order[*drawn as usize];
            order[*drawn as usize] = order[turn as usize];
            noted[slot as usize][lane] = gain;
        }
        // Only these places were touched; put back, the next shuffle starts afresh.
        for &place in drawn.iter() {
            order[place as usize] = self.slots[place as usize];
        }
    }

    /// Adds up what each system got, and compares.
    fn count(&self, lanes: usize, noted: &[[f64; LANES]], counts: &mut Counts) {
        let rival = self
            .rival
            .map_or([0.0; LANES], |rival| self.sums(rival, noted));
        let mut wins = [0; LANES];
        for system in 0..self.systems() {
            let mut sums = self.sums(system, noted);
            for (sum, rival) in sums.iter_mut().zip(&rival) {
                *sum -= rival;
            }
            for (wins, sum) in wins.iter_mut().zip(&sums[..lanes]) {
                *wins += usize::from(*sum > self.targets[system]);
            }
            let reached = sums[..lanes].iter();
            let reached = reached.filter(|&&sum| sum >= self.observed[system]);
            counts.reached[system] += reached.count() as i64;
        }
        for &wins in &wins[..lanes] {
            counts.wins[wins] += 1;
        }
    }

    #[inline]
    fn sums(&self, system: usize, noted: &[[f64; LANES]]) -> [f64; LANES] {
        let mut sums = [0.0; LANES];
        for &(slot, weight) in &self.entries[self.starts[system]..self.starts[system + 1]] {
            for (sum, gain) in sums.iter_mut().zip(&noted[slot as usize]) {
                *sum += gain * weight;
            }
        }
        sums
    }
}

/// What a thread works with.
#[derive(Default)]
struct Desk {
    order: Vec<u32>,
    drawn: Vec<u32>,
    noted: Vec<[f64; LANES]>,
}

/// What came of the shuffles of a topic.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    /// How many shuffles let so many systems exceed their target.
    pub wins: Vec<i64>,
    /// How many shuffles gave a system as much as it had, or more.
    pub reached: Vec<i64>,
}

impl Counts {
    fn none(systems: usize) -> Self {
        Self {
            wins: vec![0; systems + 1],
            reached: vec![0; systems],
        }
    }

    fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.wins.iter_mut().zip(&other.wins) {
            *mine += theirs;
        }
        for (mine, theirs) in self.reached.iter_mut().zip(&other.reached) {
            *mine += theirs;
        }
    }
}

/// Shuffles every topic so many times; the counts do not depend on the threads.
pub fn shuffle(
    contests: &[Contest],
    shuffles: u64,
    threads: usize,
    stop: &AtomicBool,
) -> Vec<Counts> {
    let tasks: Vec<_> = (0..contests.len())
        .flat_map(|topic| portions(shuffles).map(move |numbers| (topic, numbers)))
        .collect();
    let parts = spread(
        &tasks,
        threads,
        stop,
        |desk: &mut Desk, (topic, numbers)| contests[*topic].shuffle(numbers.clone(), desk),
    );
    let mut counts: Vec<_> = contests
        .iter()
        .map(|contest| Counts::none(contest.systems()))
        .collect();
    if !stop.load(Ordering::Relaxed) {
        for ((topic, _), part) in tasks.iter().zip(parts.iter().flatten()) {
            counts[*topic].merge(part);
        }
    }
    counts
}

/// Numbers of the shuffles that each task of a topic makes.
fn portions(shuffles: u64) -> impl Iterator<Item = Range<u64>> {
    let size = shuffles.div_ceil(TASKS).max(TASK);
    let tasks = shuffles.div_ceil(size);
    (0..tasks).map(move |task| task * size..shuffles.min((task + 1).saturating_mul(size)))
}

/// The gain that most documents have; 0 if there are none.
fn most_common(gains: &[f64]) -> f64 {
    let mut sorted = gains.to_vec();
    sorted.sort_by(f64::total_cmp);
    let runs = sorted.chunk_by(|left, right| left == right);
    // The first of several as common as each other.
    let longest = runs.rev().max_by_key(|run| run.len());
    longest.map_or(0.0, |run| run[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_do_not_fit_are_refused() {
        let parts = Parts {
            key: [0, 0],
            gains: &[0.0, 1.0],
            places: &[0, 2],
            weights: &[1.0, 0.5],
            targets: &[0.0],
            observed: &[0.0],
            rival: None,
        };
        assert!(Contest::new(&parts).is_none());
    }

    #[test]
    fn tasks_are_few_and_hold_every_shuffle() {
        for shuffles in [0, 1, TASK, 5000, TASK * TASKS + 1, 1 << 62, u64::MAX] {
            let tasks: Vec<_> = portions(shuffles).collect();
            assert!(tasks.len() as u64 <= TASKS);
            assert!(tasks.iter().all(|numbers| !numbers.is_empty()));
            assert!(tasks.windows(2).all(|pair| pair[0].end == pair[1].start));
            assert_eq!(tasks.first().map_or(0, |numbers| numbers.start), 0);
            assert_eq!(tasks.last().map_or(0, |numbers| numbers.end), shuffles);
        }
    }

    #[test]
    fn every_shuffle_is_counted_whatever_the_threads() {
        let parts = Parts {
            key: [7, 9],
            gains: &[0.0, 1.0, 0.0, 2.0],
            places: &[0, 1, 1, -1, 3, 2],
            weights: &[1.0, 0.5],
            targets: &[0.4, 0.4, 0.4],
            observed: &[0.5, 1.0, 2.0],
            rival: None,
        };
        let contests = [Contest::new(&parts).expect("they fit")];
        let stop = AtomicBool::new(false);
        let one = shuffle(&contests, 5000, 1, &stop);
        assert_eq!(one, shuffle(&contests, 5000, 3, &stop));
        assert_eq!(one[0].wins.iter().sum::<i64>(), 5000);
        // The second system's only document has a gain in half of the shuffles.
        assert!((2400..2600).contains(&one[0].reached[1]));
    }
}
