//! Indexes for Python.

use crate::invert::{Rows, Table, fit, merge, transpose};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Starts, cells and counts.
type Counted<'py> = (
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i32>,
    PyReadonlyArray1<'py, i32>,
);

/// The same, and the sum of each row.
type Summed<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<i64>>,
);

/// Turns counts of tokens into terms by documents, and documents by terms.
#[pyfunction]
pub fn invert<'py>(
    py: Python<'py>,
    counts: Counted<'py>,
    terms: PyReadonlyArray1<'py, i32>,
    size: usize,
) -> PyResult<(Summed<'py>, Summed<'py>)> {
    let rows = Rows {
        starts: counts.0.as_slice()?,
        cells: counts.1.as_slice()?,
        counts: counts.2.as_slice()?,
    };
    let terms = terms.as_slice()?;
    if !fit(&rows, terms, size) {
        return Err(PyValueError::new_err("counts and terms do not fit"));
    }
    let (forward, inverted) = py.detach(|| {
        let forward = merge(&rows, terms);
        let rows = Rows {
            starts: &forward.starts,
            cells: &forward.cells,
            counts: &forward.counts,
        };
        let inverted = transpose(&rows, size);
        (forward, inverted)
    });
    Ok((arrays(py, forward), arrays(py, inverted)))
}

fn arrays(py: Python<'_>, table: Table) -> Summed<'_> {
    (
        table.starts.into_pyarray(py),
        table.cells.into_pyarray(py),
        table.counts.into_pyarray(py),
        table.sums.into_pyarray(py),
    )
}
