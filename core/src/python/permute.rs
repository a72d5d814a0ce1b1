//! Shuffled pools for Python.

use super::{Stop, attentive};
use crate::permute::{Contest, Parts, shuffle};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::atomic::Ordering;

/// Key, gains, places, weights, targets, observed and rival of a topic.
type Topic<'py> = (
    (u64, u64),
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray2<'py, i32>,
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray1<'py, f64>,
    Option<usize>,
);

/// Two rows of counts for a topic.
type Counted<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// Shuffles the gains of every topic over its documents and counts what comes of it.
#[pyfunction]
#[pyo3(signature = (topics, permutations, *, threads, stop = None))]
pub fn permute<'py>(
    py: Python<'py>,
    topics: Vec<Topic<'py>>,
    permutations: u64,
    threads: usize,
    stop: Option<Bound<'py, Stop>>,
) -> PyResult<Vec<Counted<'py>>> {
    let contests = topics
        .into_iter()
        .map(contest)
        .collect::<PyResult<Vec<_>>>()?;
    let stop = stop.map_or_else(|| Py::new(py, Stop::new()), |stop| Ok(stop.unbind()))?;
    let flag = &stop.get().0;
    let counts = attentive(py, flag, || shuffle(&contests, permutations, threads, flag))?;
    if flag.load(Ordering::Relaxed) {
        return Err(PyRuntimeError::new_err("shuffling was stopped"));
    }
    let arrays =
        |(wins, reached): (Vec<i64>, Vec<i64>)| (wins.into_pyarray(py), reached.into_pyarray(py));
    let counts = counts.into_iter();
    Ok(counts
        .map(|each| arrays((each.wins, each.reached)))
        .collect())
}

fn contest(topic: Topic) -> PyResult<Contest> {
    let (key, gains, places, weights, targets, observed, rival) = topic;
    let parts = Parts {
        key: key.into(),
        gains: gains.as_slice()?,
        places: places.as_slice()?,
        weights: weights.as_slice()?,
        targets: targets.as_slice()?,
        observed: observed.as_slice()?,
        rival,
    };
    Contest::new(&parts).ok_or_else(|| PyValueError::new_err("the parts of a topic do not fit"))
}
