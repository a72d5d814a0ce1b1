//! From the tokens of documents to an index: what becomes of each token is merged, and
//! the rows of documents are turned into rows of terms.

use std::ops::Range;

/// Rows of numbered cells that hold counts.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// Where each row starts, and the end of the last.
    pub starts: &'a [i64],
    /// The cells of all rows, each once in a row.
    pub cells: &'a [i32],
    /// What each of them counts.
    pub counts: &'a [i32],
}

/// Rows of ascending cells, and the sum of each.
#[derive(Debug, Default, PartialEq)]
pub struct Table {
    /// Where each row starts, and the end of the last.
    pub starts: Vec<i64>,
    /// The cells of all rows.
    pub cells: Vec<i32>,
    /// What each of them counts.
    pub counts: Vec<i32>,
    /// What the counts of each row come to.
    pub sums: Vec<i64>,
}

/// Whether every number that points somewhere points into what is there.
pub fn fit(rows: &Rows, terms: &[i32], size: usize) -> bool {
    let within = |values: &[i32], end: usize| values.iter().all(|&v| v >= 0 && (v as usize) < end);
    rows.starts.first() == Some(&0)
        && rows.starts.last() == Some(&(rows.cells.len() as i64))
        && rows.starts.windows(2).all(|pair| pair[0] <= pair[1])
        && rows.counts.len() == rows.cells.len()
        && within(rows.cells, terms.len())
        && terms.iter().all(|&v| v < 0 || (v as usize) < size)
}

/// Replaces the token of each cell by its term, which is negative where it has none, and
/// adds up the counts of one term in a row.
pub fn merge(rows: &Rows, terms: &[i32]) -> Table {
    let mut table = Table {
        starts: vec![0],
        // Memory that is not written to is not taken.
        cells: Vec::with_capacity(rows.cells.len()),
        counts: Vec::with_capacity(rows.cells.len()),
        sums: Vec::new(),
    };
    let mut found: Vec<(i32, i32)> = Vec::new();
    for number in 0..rows.starts.len() - 1 {
        let span = range(rows.starts, number);
        let pairs = rows.cells[span.clone()].iter().zip(&rows.counts[span]);
        found.clear();
        found.extend(
            pairs
                .map(|(&cell, &count)| (terms[cell as usize], count))
                .filter(|&(term, _)| term >= 0),
        );
        found.sort_unstable();
        for together in found.chunk_by(|a, b| a.0 == b.0) {
            table.cells.push(together[0].0);
            table
                .counts
                .push(together.iter().map(|&(_, count)| count).sum());
        }
        table.starts.push(table.cells.len() as i64);
        let sum = found.iter().map(|&(_, count)| i64::from(count)).sum();
        table.sums.push(sum);
    }
    table
}

/// Turns columns into rows, of which there are so many.
pub fn transpose(rows: &Rows, size: usize) -> Table {
    let mut starts = vec![0; size + 1];
    for &cell in rows.cells {
        starts[cell as usize + 1] += 1;
    }
    for row in 0..size {
        starts[row + 1] += starts[row];
    }
    let mut next = starts.clone();
    let mut cells = vec![0; rows.cells.len()];
    let mut counts = vec![0; rows.cells.len()];
    let mut sums = vec![0; size];
    for number in 0..rows.starts.len() - 1 {
        let span = range(rows.starts, number);
        for (&cell, &count) in rows.cells[span.clone()].iter().zip(&rows.counts[span]) {
            let row = cell as usize;
            let place = next[row] as usize;
            next[row] += 1;
            cells[place] = number as i32;
            counts[place] = count;
            sums[row] += i64::from(count);
        }
    }
    Table {
        starts,
        cells,
        counts,
        sums,
    }
}

fn range(starts: &[i64], number: usize) -> Range<usize> {
    starts[number] as usize..starts[number + 1] as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: Rows = Rows {
        starts: &[0, 3, 3, 5],
        cells: &[2, 0, 1, 3, 1],
        counts: &[1, 2, 4, 8, 16],
    };
    // The first and the third token are one term, the last is none.
    const TERMS: [i32; 4] = [1, 0, 1, -1];

    #[test]
    fn tokens_of_one_term_are_merged_and_turned() {
        assert!(fit(&ROWS, &TERMS, 2));
        let merged = merge(&ROWS, &TERMS);
        let forward = Table {
            starts: vec![0, 2, 2, 3],
            cells: vec![0, 1, 0],
            counts: vec![4, 3, 16],
            sums: vec![7, 0, 16],
        };
        assert_eq!(merged, forward);
        let rows = Rows {
            starts: &merged.starts,
            cells: &merged.cells,
            counts: &merged.counts,
        };
        let inverted = Table {
            starts: vec![0, 2, 3, 3],
            cells: vec![0, 2, 0],
            counts: vec![4, 16, 3],
            sums: vec![20, 3, 0],
        };
        assert_eq!(transpose(&rows, 3), inverted);
    }

    #[test]
    fn what_points_outside_does_not_fit() {
        assert!(!fit(&ROWS, &TERMS, 1));
        assert!(!fit(&ROWS, &TERMS[..3], 2));
        assert!(!fit(
            &Rows {
                starts: &[0, 4],
                ..ROWS
            },
            &TERMS,
            2
        ));
        assert!(!fit(
            &Rows {
                counts: &[],
                ..ROWS
            },
            &TERMS,
            2
        ));
    }
}
