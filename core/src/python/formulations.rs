//! Orders of topics for Python.

use super::{Stop, attentive};
use crate::formulations::{Pair, Rule, experiment};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::atomic::Ordering;

/// Starts of topics, then ranks, scores and targets of all pairs.
type Cells<'py> = (
    Vec<usize>,
    PyReadonlyArray2<'py, i16>,
    PyReadonlyArray2<'py, f64>,
    PyReadonlyArray2<'py, f64>,
);

/// Topics that the core can count.
const MOST: usize = 1 << 14;

type Reached<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
);

/// For every order: what the best pair reaches, which that is, and the sum over pairs.
#[pyfunction]
#[pyo3(signature = (cells, orders, rule, *, threads, stop = None))]
pub fn arrange<'py>(
    py: Python<'py>,
    cells: Cells<'py>,
    orders: PyReadonlyArray2<'py, u32>,
    rule: &str,
    threads: usize,
    stop: Option<Bound<'py, Stop>>,
) -> PyResult<Reached<'py>> {
    let topics = cells.0.len().saturating_sub(1);
    let (pairs, rule) = (laid_out(&cells)?, named(rule)?);
    let orders = orders.as_slice()?;
    check(orders, topics)?;
    let stop = stop.map_or_else(|| Py::new(py, Stop::new()), |stop| Ok(stop.unbind()))?;
    let flag = &stop.get().0;
    let reached = attentive(py, flag, || {
        experiment(&pairs, orders, topics, rule, threads, flag)
    })?;
    if flag.load(Ordering::Relaxed) {
        return Err(PyRuntimeError::new_err("the experiment was stopped"));
    }
    let best: Vec<_> = reached.iter().map(|each| i64::from(each.best)).collect();
    let pair: Vec<_> = reached.iter().map(|each| i64::from(each.pair)).collect();
    let total: Vec<_> = reached.iter().map(|each| each.total).collect();
    Ok((
        best.into_pyarray(py),
        pair.into_pyarray(py),
        total.into_pyarray(py),
    ))
}

/// For one order: the cells that the first pair picks, and what they reach.
#[pyfunction]
pub fn picks(
    cells: Cells<'_>,
    order: PyReadonlyArray1<'_, u32>,
    rule: &str,
) -> PyResult<(Vec<usize>, i32)> {
    let order = order.as_slice()?;
    check(order, cells.0.len().saturating_sub(1))?;
    let pairs = laid_out(&cells)?;
    let first = pairs.first().ok_or_else(unfit)?;
    Ok(first.picks(order, named(rule)?))
}

fn laid_out(cells: &Cells) -> PyResult<Vec<Pair>> {
    let (starts, ranks, scores, targets) = cells;
    let width = *starts.last().ok_or_else(unfit)?;
    let (rows, columns) = ranks.as_array().dim();
    let (ranks, scores, targets) = (ranks.as_slice()?, scores.as_slice()?, targets.as_slice()?);
    let topics = starts.len() - 1;
    let fits = columns == width
        && starts.is_sorted()
        && (1..=MOST).contains(&topics)
        && ranks.iter().all(|&rank| rank < i16::MAX)
        && (scores.is_empty() || scores.len() == rows * width)
        && (targets.is_empty() || targets.len() == rows * topics)
        && scores.is_empty() == targets.is_empty();
    if !fits {
        return Err(unfit());
    }
    let part = |all: &'_ [f64], size: usize, row: usize| {
        all.get(row * size..(row + 1) * size)
            .unwrap_or(&[])
            .to_vec()
    };
    (0..rows)
        .map(|row| {
            let ranks = &ranks[row * width..(row + 1) * width];
            let (scores, targets) = (part(scores, width, row), part(targets, topics, row));
            Pair::new(starts, ranks, &scores, &targets).ok_or_else(unfit)
        })
        .collect()
}

fn check(orders: &[u32], topics: usize) -> PyResult<()> {
    let mut seen = vec![usize::MAX; topics];
    for (number, order) in orders.chunks(topics.max(1)).enumerate() {
        for &topic in order {
            match seen.get_mut(topic as usize) {
                Some(last) if *last != number => *last = number,
                _ => return Err(unfit()),
            }
        }
        if order.len() != topics {
            return Err(unfit());
        }
    }
    Ok(())
}

fn named(rule: &str) -> PyResult<Rule> {
    Ok(match rule {
        "greedy-low" => Rule::GreedyLow,
        "greedy-first" => Rule::GreedyFirst,
        "quantile" => Rule::Quantile,
        "local" => Rule::Local,
        "bound" => Rule::Bound,
        _ => return Err(PyValueError::new_err("there is no such rule")),
    })
}

fn unfit() -> PyErr {
    PyValueError::new_err("the parts of an experiment do not fit")
}
