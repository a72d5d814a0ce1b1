//! Rankings of many queries over one inverted index: the weights of a query's terms are
//! added up document by document, and the best documents are kept.
//!
//! What a posting weighs is the caller's business. A document is retrieved if it holds a
//! term of the query, whatever its score; the order is by score, descending, and among
//! equal scores by the place that the caller gives each document.

use crate::runs::spread;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// Weighted postings, term by term, and what breaks ties between documents.
pub struct Postings<'a> {
    /// Where the postings of each term start, and the end of the last.
    pub starts: &'a [i64],
    /// The document of each posting.
    pub documents: &'a [i32],
    /// What each posting weighs for a query weight of one; those of terms that no query
    /// has are never looked at.
    pub weights: &'a [f64],
    /// The place of each document among documents of one score.
    pub places: &'a [i32],
}

/// Queries, one after the other.
pub struct Queries<'a> {
    /// Where the terms of each query start, and the end of the last.
    pub starts: &'a [i64],
    /// Terms of all queries.
    pub terms: &'a [i32],
    /// What each of them weighs in its query.
    pub weights: &'a [f64],
}

/// The best documents of one query, in order.
pub type Ranking = Vec<(i32, f64)>;

/// The sum of a document that holds no term of the query. Nothing that is added to it
/// leaves it as it is, since no summand is a negative zero.
const UNTOUCHED: f64 = -0.0;

/// With so many documents for each posting, documents are better found by postings.
const SPARSE: usize = 4;

/// Sums of one query, by document, all of them untouched between two queries.
#[derive(Default)]
struct Sums {
    sums: Vec<f64>,
    kept: Vec<u128>,
}

/// Whether every number that points somewhere points into what is there.
pub fn fit(postings: &Postings, queries: &Queries) -> bool {
    let terms = postings.starts.len().saturating_sub(1);
    let documents = postings.places.len();
    ascend(postings.starts, postings.documents.len())
        && ascend(queries.starts, queries.terms.len())
        && postings.weights.len() == postings.documents.len()
        && queries.weights.len() == queries.terms.len()
        && below(queries.terms, terms)
        && distinct(queries.terms)
            .into_iter()
            .all(|term| below(&postings.documents[range(postings.starts, term)], documents))
}

fn ascend(starts: &[i64], end: usize) -> bool {
    starts.first() == Some(&0)
        && starts.last() == Some(&(end as i64))
        && starts.windows(2).all(|pair| pair[0] <= pair[1])
}

fn below(values: &[i32], end: usize) -> bool {
    values
        .iter()
        .all(|&value| value >= 0 && (value as usize) < end)
}

fn distinct(terms: &[i32]) -> Vec<usize> {
    let mut known: Vec<usize> = terms.iter().map(|&term| term as usize).collect();
    known.sort_unstable();
    known.dedup();
    known
}

/// Ranks the documents of every query; a query that was not reached has none.
pub fn search(
    postings: &Postings,
    queries: &Queries,
    depth: usize,
    threads: usize,
    stop: &AtomicBool,
) -> Vec<Ranking> {
    let numbers: Vec<usize> = (0..queries.starts.len() - 1).collect();
    spread(&numbers, threads, stop, |sums: &mut Sums, &number| {
        sums.rank(postings, queries, number, depth)
    })
    .into_iter()
    .map(Option::unwrap_or_default)
    .collect()
}

impl Sums {
    fn rank(
        &mut self,
        postings: &Postings,
        queries: &Queries,
        number: usize,
        depth: usize,
    ) -> Ranking {
        self.sums.resize(postings.places.len(), UNTOUCHED);
        let terms = &queries.terms[range(queries.starts, number)];
        let weights = &queries.weights[range(queries.starts, number)];
        let spans: Vec<Range<usize>> = terms
            .iter()
            .map(|&term| range(postings.starts, term as usize))
            .collect();
        for (span, &weight) in spans.iter().zip(weights) {
            let documents = &postings.documents[span.clone()];
            for (&document, &value) in documents.iter().zip(&postings.weights[span.clone()]) {
                // Zero is added to make a negative zero a positive one.
                self.sums[document as usize] += weight * value + 0.0;
            }
        }
        let mut best = Best::new(&mut self.kept, postings.places, depth);
        let held: usize = spans.iter().map(Range::len).sum();
        if held < self.sums.len() / SPARSE {
            for &document in spans.into_iter().flat_map(|span| &postings.documents[span]) {
                best.see(document as usize, &mut self.sums[document as usize]);
            }
        } else {
            for (document, sum) in self.sums.iter_mut().enumerate() {
                best.see(document, sum);
            }
        }
        best.ranking()
    }
}

/// The best documents so far, and up to as many others, each packed into one number that
/// compares as it ranks: by score, descending, then by place.
struct Best<'a> {
    kept: &'a mut Vec<u128>,
    places: &'a [i32],
    depth: usize,
    floor: f64,
}

impl<'a> Best<'a> {
    fn new(kept: &'a mut Vec<u128>, places: &'a [i32], depth: usize) -> Self {
        kept.clear();
        Self {
            kept,
            places,
            depth,
            floor: f64::NEG_INFINITY,
        }
    }

    /// Takes a document if it may be one of the best, and leaves its sum untouched.
    fn see(&mut self, document: usize, sum: &mut f64) {
        let score = std::mem::replace(sum, UNTOUCHED);
        if score.to_bits() == UNTOUCHED.to_bits() || score < self.floor {
            return;
        }
        let place = u128::from(self.places[document] as u32);
        let order = u128::from(!ascending(score));
        self.kept.push(order << 64 | place << 32 | document as u128);
        if self.kept.len() >= self.depth.saturating_mul(2).saturating_add(1) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.depth == 0 {
            self.kept.clear();
        } else if self.depth < self.kept.len() {
            let (_, &mut last, _) = self.kept.select_nth_unstable(self.depth - 1);
            self.kept.truncate(self.depth);
            self.floor = score_of(last);
        }
    }

    fn ranking(mut self) -> Ranking {
        self.cut();
        self.kept.sort_unstable();
        let found = self.kept.iter();
        found.map(|&one| (one as i32, score_of(one))).collect()
    }
}

const SIGN: u64 = 1 << 63;

/// Maps numbers to bits that compare as the numbers do.
fn ascending(score: f64) -> u64 {
    let bits = score.to_bits();
    if bits & SIGN == 0 { bits | SIGN } else { !bits }
}

fn score_of(packed: u128) -> f64 {
    let bits = !((packed >> 64) as u64);
    f64::from_bits(if bits & SIGN == 0 { !bits } else { bits ^ SIGN })
}

fn range(starts: &[i64], number: usize) -> Range<usize> {
    starts[number] as usize..starts[number + 1] as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(depth: usize, threads: usize) -> Vec<Ranking> {
        let postings = Postings {
            starts: &[0, 2, 5],
            documents: &[0, 2, 0, 1, 3],
            weights: &[1.0, -2.0, 0.5, 1.5, 1.5],
            places: &[0, 3, 1, 2],
        };
        let queries = Queries {
            starts: &[0, 2, 2, 3],
            terms: &[0, 1, 0],
            weights: &[1.0, 1.0, 2.0],
        };
        assert!(fit(&postings, &queries));
        search(&postings, &queries, depth, threads, &AtomicBool::new(false))
    }

    #[test]
    fn sums_are_ranked_and_ties_follow_the_places() {
        let all = vec![
            vec![(0, 1.5), (3, 1.5), (1, 1.5), (2, -2.0)],
            vec![],
            vec![(0, 2.0), (2, -4.0)],
        ];
        assert_eq!(ranked(10, 1), all);
        assert_eq!(ranked(10, 3), all);
    }

    #[test]
    fn the_cut_keeps_the_best() {
        assert_eq!(ranked(2, 1)[0], vec![(0, 1.5), (3, 1.5)]);
        assert_eq!(ranked(0, 1)[2], vec![]);
    }

    #[test]
    fn documents_are_found_by_postings_or_one_by_one() {
        // Scores of all signs; documents 1, 3, ... hold nothing.
        let documents: Vec<i32> = (0..400).map(|i| 2 * i).collect();
        let weights: Vec<f64> = (0..400).map(|i| f64::from(i * 7 % 13) - 6.0).collect();
        for size in [800, 8000] {
            let places: Vec<i32> = (0..size).rev().collect();
            let postings = Postings {
                starts: &[0, 400, 400],
                documents: &documents,
                weights: &weights,
                places: &places,
            };
            let queries = Queries {
                starts: &[0, 1, 3, 5, 5],
                terms: &[0, 0, 0, 0, 1],
                weights: &[-2.0, 1.0, -1.0, 0.5, 3.0],
            };
            assert!(fit(&postings, &queries));
            let factors = [Some(-2.0), Some(0.0), Some(0.5), None];
            for depth in [0, 1, 5, 399, 400, usize::MAX] {
                let stop = AtomicBool::new(false);
                let found = search(&postings, &queries, depth, 2, &stop);
                for (ranking, factor) in found.into_iter().zip(factors) {
                    let mut all: Ranking = documents
                        .iter()
                        .zip(&weights)
                        .filter_map(|(&d, &w)| factor.map(|f| (d, f * w + 0.0)))
                        .collect();
                    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(b.0.cmp(&a.0)));
                    all.truncate(depth);
                    assert_eq!(ranking, all);
                }
            }
        }
    }

    #[test]
    fn what_points_outside_does_not_fit() {
        let queries = Queries {
            starts: &[0, 1],
            terms: &[1],
            weights: &[1.0],
        };
        let postings = Postings {
            starts: &[0, 1],
            documents: &[0],
            weights: &[1.0],
            places: &[0],
        };
        assert!(!fit(&postings, &queries));
        let queries = Queries {
            terms: &[0],
            ..queries
        };
        assert!(fit(&postings, &queries));
        let postings = Postings {
            documents: &[1],
            ..postings
        };
        assert!(!fit(&postings, &queries));
    }
}
