//! What chance does to a pool: its gains are shuffled over its documents, one shuffle
//! for all systems, and counted is how many systems come out above their mark.
//!
//! Shuffle number b of a topic takes its random words from a generator that is nothing
//! but a function of the topic's key and b, so neither the other topics nor the threads
//! change a bit of the result. Most documents of a pool share one gain (none): only the
//! places of the others are drawn, and only what was listed there is added up.

use crate::runs::spread;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shuffles that one task makes.
const TASK: u64 = 1024;

/// Philox 4x64-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC
/// 2011), with the words in the order in which NumPy's Philox gives them.
pub struct Philox {
    key: [u64; 2],
    stream: u64,
    block: u64,
    words: [u32; 8],
    used: usize,
}

impl Philox {
    /// Opens one of the streams that belong to a key.
    pub fn new(key: [u64; 2], stream: u64) -> Self {
        Self {
            key,
            stream,
            block: 0,
            words: [0; 8],
            used: 8,
        }
    }

    /// The next 32 random bits.
    #[inline]
    pub fn word(&mut self) -> u32 {
        if self.used == 8 {
            self.block += 1;
            self.words = halves(block([self.block, self.stream, 0, 0], self.key));
            self.used = 0;
        }
        let word = self.words[self.used];
        self.used += 1;
        word
    }

    /// A number below a bound, every one as likely (Lemire, "Fast random integer
    /// generation in an interval", 2019).
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let mut product = u64::from(self.word()) * u64::from(bound);
        if (product as u32) < bound {
            let least = bound.wrapping_neg() % bound;
            while (product as u32) < least {
                product = u64::from(self.word()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }
}

#[inline]
fn block(mut counter: [u64; 4], mut key: [u64; 2]) -> [u64; 4] {
    for _ in 0..10 {
        let left = u128::from(counter[0]) * 0xD2E7_470E_E14C_6C93;
        let right = u128::from(counter[2]) * 0xCA5A_8263_9512_1157;
        counter = [
            (right >> 64) as u64 ^ counter[1] ^ key[0],
            right as u64,
            (left >> 64) as u64 ^ counter[3] ^ key[1],
            left as u64,
        ];
        key[0] = key[0].wrapping_add(0x9E37_79B9_7F4A_7C15);
        key[1] = key[1].wrapping_add(0xBB67_AE85_84CA_A73B);
    }
    counter
}

#[inline]
fn halves(words: [u64; 4]) -> [u32; 8] {
    let mut halves = [0; 8];
    for (pair, word) in halves.chunks_exact_mut(2).zip(words) {
        pair[0] = word as u32;
        pair[1] = (word >> 32) as u32;
    }
    halves
}

/// One topic, as it is shuffled.
pub struct Contest {
    key: [u64; 2],
    size: u32,
    /// Gains above that of most documents.
    gains: Vec<f64>,
    /// Which systems listed a document, with what weight: those of document d are
    /// `owners[starts[d]..starts[d + 1]]`.
    starts: Vec<u32>,
    owners: Vec<(u32, f64)>,
    systems: usize,
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
        let most = most_common(parts.gains);
        let mut owned: Vec<(u32, u32, f64)> = Vec::new();
        let mut sums = vec![0.0; systems];
        for (system, places) in parts.places.chunks(parts.weights.len().max(1)).enumerate() {
            for (&place, &weight) in places.iter().zip(parts.weights) {
                if place >= 0 {
                    owned.push((place as u32, system as u32, weight));
                    sums[system] += most * weight;
                }
            }
        }
        owned.sort_by_key(|&(place, system, _)| (place, system));
        let starts = (0..=size).map(|place| owned.partition_point(|entry| entry.0 < place) as u32);
        let rival = parts.rival.map_or(0.0, |rival| sums[rival]);
        let less = |marks: &[f64]| {
            let marks = marks.iter().zip(&sums);
            marks.map(|(mark, sum)| mark - (sum - rival)).collect()
        };
        Some(Self {
            key: parts.key,
            size,
            gains: parts
                .gains
                .iter()
                .filter(|&&gain| gain != most)
                .map(|gain| gain - most)
                .collect(),
            starts: starts.collect(),
            targets: less(parts.targets),
            observed: less(parts.observed),
            owners: owned
                .into_iter()
                .map(|(_, system, weight)| (system, weight))
                .collect(),
            systems,
            rival: parts.rival,
        })
    }

    /// Makes some of the shuffles.
    fn shuffle(&self, numbers: Range<u64>, desk: &mut Desk) -> Counts {
        let mut counts = Counts::none(self.systems);
        desk.order.clear();
        desk.order.extend(0..self.size);
        for number in numbers {
            desk.sums.clear();
            desk.sums.resize(self.systems, 0.0);
            self.deal(&mut Philox::new(self.key, number), desk);
            counts.add(&desk.sums, self);
        }
        counts
    }

    /// Deals the gains out to documents, and adds them up for the systems.
    #[inline]
    fn deal(&self, random: &mut Philox, desk: &mut Desk) {
        desk.drawn.clear();
        for (turn, &gain) in (0..).zip(&self.gains) {
            let other = turn + random.below(self.size - turn);
            desk.order.swap(turn as usize, other as usize);
            desk.drawn.push(other);
            let document = desk.order[turn as usize] as usize;
            let range = self.starts[document] as usize..self.starts[document + 1] as usize;
            for &(system, weight) in &self.owners[range] {
                desk.sums[system as usize] += gain * weight;
            }
        }
        // Only these places were touched; put back, the next shuffle starts afresh.
        for (turn, &other) in (0..).zip(&desk.drawn) {
            desk.order[turn as usize] = turn;
            desk.order[other as usize] = other;
        }
    }
}

/// What a thread works with.
#[derive(Default)]
struct Desk {
    order: Vec<u32>,
    drawn: Vec<u32>,
    sums: Vec<f64>,
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

    #[inline]
    fn add(&mut self, sums: &[f64], contest: &Contest) {
        let rival = contest.rival.map_or(0.0, |rival| sums[rival]);
        let mut wins = 0;
        for (((sum, target), observed), reached) in sums
            .iter()
            .zip(&contest.targets)
            .zip(&contest.observed)
            .zip(&mut self.reached)
        {
            let sum = sum - rival;
            wins += usize::from(sum > *target);
            *reached += i64::from(sum >= *observed);
        }
        self.wins[wins] += 1;
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
        .flat_map(|topic| {
            let firsts = (0..shuffles).step_by(TASK as usize);
            firsts.map(move |first| (topic, first..shuffles.min(first + TASK)))
        })
        .collect();
    let parts = spread(
        &tasks,
        threads,
        stop,
        |desk: &mut Desk, (topic, numbers)| contests[*topic].shuffle(numbers.clone(), desk),
    );
    let mut counts: Vec<_> = contests
        .iter()
        .map(|contest| Counts::none(contest.systems))
        .collect();
    if !stop.load(Ordering::Relaxed) {
        for ((topic, _), part) in tasks.iter().zip(parts.iter().flatten()) {
            counts[*topic].merge(part);
        }
    }
    counts
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
    fn words_are_those_of_numpy() {
        // np.random.Philox(key=1 | 2 << 64, counter=[0, 3, 0, 0]).random_raw(5)
        let expected: [u64; 5] = [
            2_533_144_363_980_168_765,
            4_154_714_089_138_655_030,
            4_708_083_050_069_965_526,
            15_439_169_602_403_406_943,
            11_718_119_225_425_969_450,
        ];
        let mut random = Philox::new([1, 2], 3);
        for raw in expected {
            let low = u64::from(random.word());
            assert_eq!(low | u64::from(random.word()) << 32, raw);
        }
    }

    #[test]
    fn numbers_stay_below_their_bound_and_reach_all_of_it() {
        let mut random = Philox::new([0, 0], 0);
        let mut seen = [0_u32; 7];
        for _ in 0..7000 {
            seen[random.below(7) as usize] += 1;
        }
        assert!(seen.iter().all(|&count| (900..1100).contains(&count)));
    }

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
