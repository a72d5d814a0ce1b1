//! Tokens and stems for Python.

use crate::porter;
use crate::tokens::{Rule, count};
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Tokens, then starts, numbers and counts.
type Counted<'py> = (
    Vec<String>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<i32>>,
);

/// Cuts a text into tokens. Half characters, which Python's text may have, separate.
#[pyfunction]
pub fn tokenise(rule: (String, usize), text: Bound<'_, PyString>) -> PyResult<Vec<String>> {
    let mut tokens = Vec::new();
    let text = text.to_string_lossy();
    named(&rule)?.cut(&text, |token| tokens.push(token.to_owned()));
    Ok(tokens)
}

/// Counts the tokens of each text.
#[pyfunction]
pub fn count_tokens<'py>(
    py: Python<'py>,
    rule: (String, usize),
    texts: Vec<Bound<'py, PyString>>,
) -> PyResult<Counted<'py>> {
    let rule = named(&rule)?;
    let texts: Vec<_> = texts.iter().map(|text| text.to_string_lossy()).collect();
    let counts = py.detach(|| count(rule, texts.iter().map(AsRef::as_ref)));
    Ok((
        counts.tokens,
        counts.indptr.into_pyarray(py),
        counts.ids.into_pyarray(py),
        counts.counts.into_pyarray(py),
    ))
}

/// Stems words with Porter's stemmer, or the weak form of it.
#[pyfunction]
pub fn porter_stems(py: Python<'_>, words: Vec<String>, weak: bool) -> Vec<String> {
    py.detach(|| words.iter().map(|word| porter::stem(word, weak)).collect())
}

fn named((name, n): &(String, usize)) -> PyResult<Rule> {
    Ok(match (name.as_str(), n) {
        ("terrier", 0) => Rule::Terrier,
        ("words", 0) => Rule::Words,
        ("ngrams", 1..) => Rule::Ngrams(*n),
        _ => return Err(PyValueError::new_err("there is no such rule")),
    })
}
