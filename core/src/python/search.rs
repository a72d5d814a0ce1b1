//! Batches of queries for Python.

use super::{Stop, attentive};
use crate::search::{Postings, Queries, fit, search as rank};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::sync::atomic::Ordering;

/// Starts, members and weights.
type Weighted<'py> = (
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i32>,
    PyReadonlyArray1<'py, f64>,
);

/// Where each query's documents start, the documents, and their scores.
type Found<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<f64>>,
);

/// Ranks the documents of every query by the sum of their weighted postings.
#[pyfunction]
#[pyo3(signature = (postings, places, queries, *, depth, threads))]
pub fn search<'py>(
    py: Python<'py>,
    postings: Weighted<'py>,
    places: PyReadonlyArray1<'py, i32>,
    queries: Weighted<'py>,
    depth: usize,
    threads: usize,
) -> PyResult<Found<'py>> {
    let postings = Postings {
        starts: postings.0.as_slice()?,
        documents: postings.1.as_slice()?,
        weights: postings.2.as_slice()?,
        places: places.as_slice()?,
    };
    let queries = Queries {
        starts: queries.0.as_slice()?,
        terms: queries.1.as_slice()?,
        weights: queries.2.as_slice()?,
    };
    if !fit(&postings, &queries) {
        return Err(PyValueError::new_err("postings and queries do not fit"));
    }
    let stop = Stop::new();
    let rankings = attentive(py, &stop.0, || {
        rank(&postings, &queries, depth, threads, &stop.0)
    })?;
    if stop.0.load(Ordering::Relaxed) {
        return Err(PyRuntimeError::new_err("searching was stopped"));
    }
    let mut starts = vec![0];
    starts.extend(rankings.iter().scan(0, |end, ranking| {
        *end += ranking.len() as i64;
        Some(*end)
    }));
    let (documents, scores): (Vec<i32>, Vec<f64>) = rankings.into_iter().flatten().unzip();
    Ok((
        starts.into_pyarray(py),
        documents.into_pyarray(py),
        scores.into_pyarray(py),
    ))
}
