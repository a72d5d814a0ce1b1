//! Rankings of many queries over one inverted index: the weights of a query's terms are
//! added up document by document, and the best documents are kept.
//!
//! What a posting weighs is the caller's business. A document is retrieved if it holds a
//! term of the query, whatever its score; the order is by score, descending, and among
//! equal scores by the place that the caller gives each document.

use crate::runs::spread;
use std::cmp::Ordering;
use std::sync::atomic::AtomicBool;

/// Weighted postings, term by term, and what breaks ties between documents.
pub struct Postings<'a> {
    /// Where the postings of each term start, and the end of the last.
    pub starts: &'a [i64],
    /// The document of each posting.
    pub documents: &'a [i32],
    /// What each posting weighs for a query weight of one.
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

/// Sums of one query, by document; `marks` tells which belong to it.
#[derive(Default)]
struct Sums {
    sums: Vec<f64>,
    marks: Vec<u32>,
    query: u32,
    touched: Vec<i32>,
}

/// Whether every number that points somewhere points into what is there.
pub fn fit(postings: &Postings, queries: &Queries) -> bool {
    let terms = postings.starts.len().saturating_sub(1);
    let documents = postings.places.len();
    ascend(postings.starts, postings.documents.len())
        && ascend(queries.starts, queries.terms.len())
        && postings.weights.len() == postings.documents.len()
        && queries.weights.len() == queries.terms.len()
        && below(postings.documents, documents)
        && below(queries.terms, terms)
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
        sums.add_up(postings, queries, number);
        sums.best(postings.places, depth)
    })
    .into_iter()
    .map(Option::unwrap_or_default)
    .collect()
}

impl Sums {
    fn add_up(&mut self, postings: &Postings, queries: &Queries, number: usize) {
        let size = postings.places.len();
        if self.sums.len() != size || self.query == u32::MAX {
            *self = Self {
                sums: vec![0.0; size],
                marks: vec![0; size],
                ..Self::default()
            };
        }
        self.query += 1;
        self.touched.clear();
        for place in range(queries.starts, number) {
            let weight = queries.weights[place];
            let span = range(postings.starts, queries.terms[place] as usize);
            let pairs = postings.documents[span.clone()]
                .iter()
                .zip(&postings.weights[span]);
            for (&document, &value) in pairs {
                let at = document as usize;
                if self.marks[at] == self.query {
                    self.sums[at] += weight * value;
                } else {
                    self.marks[at] = self.query;
                    self.sums[at] = weight * value;
                    self.touched.push(document);
                }
            }
        }
    }

    fn best(&mut self, places: &[i32], depth: usize) -> Ranking {
        let sums = &self.sums;
        let order = |&a: &i32, &b: &i32| -> Ordering {
            let (a, b) = (a as usize, b as usize);
            sums[b].total_cmp(&sums[a]).then(places[a].cmp(&places[b]))
        };
        if depth < self.touched.len() {
            self.touched.select_nth_unstable_by(depth, order);
            self.touched.truncate(depth);
        }
        self.touched.sort_unstable_by(order);
        let found = self.touched.iter();
        found
            .map(|&document| (document, sums[document as usize]))
            .collect()
    }
}

fn range(starts: &[i64], number: usize) -> std::ops::Range<usize> {
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
    }
}
