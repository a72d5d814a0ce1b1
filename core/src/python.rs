//! The face towards Python: arguments are checked, arrays handed over whole, and the
//! interpreter is free while the threads work.

use crate::assemble::{self, Arrays, Topic};
use crate::corpus::Corpus;
use crate::fault::{Fault, code};
use crate::gather::Columns;
use crate::judgments::{Builder, Duplicates, Judgments};
use crate::rank::{Rules, Ties};
use crate::resolve::Resolver;
use crate::runs::{self, Account, Options, Run};
use crate::scan::Notes;
use crate::source::Source;
use crate::unpack::Limits;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};
use regex::bytes::Regex;
use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

mod formulations;
mod invert;
mod permute;
mod pieces;
mod search;
mod tokens;

/// How long an interrupt may go unnoticed.
const PATIENCE: Duration = Duration::from_millis(50);

/// Judgments or a run, as Python gives them.
#[derive(FromPyObject)]
enum Input<'py> {
    Bytes(Bound<'py, PyBytes>),
    Rows(
        Bound<'py, PyList>,
        Bound<'py, PyList>,
        PyReadonlyArray1<'py, f64>,
        Option<PyReadonlyArray1<'py, i32>>,
    ),
    Path(PathBuf),
}

impl Input<'_> {
    fn run(self) -> PyResult<Run> {
        Ok(match self {
            Self::Bytes(bytes) => Run::Text(Source::Memory(bytes.as_bytes().to_vec())),
            Self::Path(path) => Run::Text(Source::File(path)),
            Self::Rows(topics, documents, values, ranks) => {
                let mut columns = Columns {
                    scores: values.as_slice()?.to_vec(),
                    ranks: ranks.map_or(Ok(Vec::new()), |ranks| {
                        ranks.as_slice().map(<[i32]>::to_vec)
                    })?,
                    ..Columns::default()
                };
                for (topic, document) in topics.iter().zip(documents.iter()) {
                    let text = &mut columns.text;
                    text.extend_from_slice(topic.cast::<PyString>()?.to_str()?.as_bytes());
                    let middle = text.len();
                    text.extend_from_slice(document.cast::<PyString>()?.to_str()?.as_bytes());
                    columns.ends.push((middle, text.len()));
                }
                let rows = columns.scores.len();
                if columns.ends.len() != rows
                    || !(columns.ranks.is_empty() || columns.ranks.len() == rows)
                {
                    return Err(PyValueError::new_err("columns of different lengths"));
                }
                Run::Columns(columns)
            }
        })
    }
}

/// Which documents count.
#[derive(FromPyObject)]
enum Rule {
    Shard(u64, u64, u64),
    Pattern(String),
    Listed(Vec<String>),
}

impl Rule {
    fn corpus(self) -> PyResult<Corpus> {
        Ok(match self {
            Self::Shard(of, index, seed) => Corpus::Shard { of, index, seed },
            Self::Listed(documents) => {
                Corpus::Listed(documents.into_iter().map(String::into_bytes).collect())
            }
            Self::Pattern(pattern) => Corpus::Pattern(
                Regex::new(&pattern).map_err(|error| PyValueError::new_err(error.to_string()))?,
            ),
        })
    }
}

/// What reading an input found beside its data.
#[pyclass(name = "Account", frozen, get_all)]
#[derive(Default)]
struct PyAccount {
    /// Line, kind and text of each fault kept.
    faults: Vec<(u64, &'static str, String)>,
    /// How many faults there were.
    fault_count: u64,
    lines: u64,
    records: u64,
    /// Comment lines before the first record.
    comments: String,
    /// Different run tags, the first few.
    tags: Vec<String>,
    /// How many topics have judgments.
    known: u64,
    /// Topics without judgments.
    strangers: Vec<String>,
    /// Copies of documents that do not count.
    dropped: u64,
    /// Whether the text starts with a byte-order mark.
    marked: bool,
}

impl From<Account> for PyAccount {
    fn from(account: Account) -> Self {
        let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
        let fault = |fault: Fault| (fault.line, fault.code, fault.text);
        Self {
            fault_count: account.faults.count,
            faults: account.faults.kept.into_iter().map(fault).collect(),
            lines: account.lines,
            records: account.records,
            comments: text(&account.comments),
            tags: account.tags.iter().map(text).collect(),
            known: account.known,
            strangers: account.strangers,
            dropped: account.dropped,
            marked: account.marked,
        }
    }
}

/// Judgments, ready to be matched with runs.
#[pyclass(name = "Judgments", frozen)]
struct PyJudgments(Judgments);

#[pymethods]
impl PyJudgments {
    /// Topics, in order of first appearance.
    #[getter]
    fn topics(&self) -> Vec<&str> {
        self.0.topics.iter().map(String::as_str).collect()
    }

    /// Where the judgments of each topic start, and the end of the last.
    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let offsets = self.0.offsets.iter().map(|&at| at as i64);
        offsets.collect::<Vec<_>>().into_pyarray(py)
    }

    /// Grade of each judgment.
    #[getter]
    fn grades<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.grades)
    }

    /// Document of a judgment.
    fn document(&self, judgment: usize) -> PyResult<Cow<'_, str>> {
        if judgment >= self.0.grades.len() {
            return Err(PyIndexError::new_err(judgment));
        }
        Ok(String::from_utf8_lossy(self.0.document(judgment)))
    }
}

fn duplicates(name: &str) -> PyResult<Duplicates> {
    Ok(match name {
        "error" => Duplicates::Refuse,
        "first" => Duplicates::First,
        "last" => Duplicates::Last,
        _ => return Err(PyValueError::new_err(format!("no such rule: {name}"))),
    })
}

/// Reads and unpacks a file or bytes at hand; the second value says what is wrong.
#[pyfunction]
fn read<'py>(
    py: Python<'py>,
    source: Input<'py>,
    max_bytes: u64,
) -> PyResult<(
    Option<Bound<'py, PyBytes>>,
    Option<(u64, &'static str, String)>,
)> {
    let Run::Text(source) = source.run()? else {
        return Err(PyValueError::new_err("rows are no text"));
    };
    let stop = &AtomicBool::new(false);
    let outcome = attentive(py, stop, || source.unpacked(Limits { max_bytes, stop }))?;
    Ok(match outcome {
        Ok(bytes) => (Some(PyBytes::new(py, &bytes)), None),
        Err(fault) => (None, Some((fault.line, fault.code, fault.text))),
    })
}

/// Reads judgments.
#[pyfunction]
#[pyo3(signature = (source, *, duplicates, max_bytes, corpus = None))]
fn read_judgments(
    py: Python<'_>,
    source: Input<'_>,
    duplicates: &str,
    max_bytes: u64,
    corpus: Option<Rule>,
) -> PyResult<(PyJudgments, PyAccount)> {
    let corpus = corpus.map(Rule::corpus).transpose()?;
    let policy = self::duplicates(duplicates)?;
    let run = source.run()?;
    let stop = &AtomicBool::new(false);
    let (judgments, account) = attentive(py, stop, || {
        let limits = Limits { max_bytes, stop };
        let mut builder = Builder::new(policy, corpus.as_ref());
        let mut notes = Notes::default();
        let marked = match &run {
            Run::Text(source) => builder.read(source, limits, &mut notes),
            Run::Columns(columns) => {
                builder.read_columns(columns, &mut notes);
                false
            }
        };
        if notes.records == 0 && notes.faults.count == 0 {
            notes.faults.add(0, code::EMPTY, b"");
        }
        let account = Account {
            faults: notes.faults,
            lines: notes.lines,
            records: notes.records,
            comments: notes.comments,
            dropped: builder.dropped,
            marked,
            ..Account::default()
        };
        (builder.finish(), account)
    })?;
    Ok((PyJudgments(judgments), account.into()))
}

/// Ends a reading that goes on in another thread.
#[pyclass(frozen)]
#[derive(Default)]
struct Stop(AtomicBool);

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Lets the reading fail at the next opportunity.
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Reads runs and matches them; returns arrays and an account of every run.
#[pyfunction]
#[pyo3(signature = (
    judgments, sources, *, ties, single, duplicates, floor, top, threads, max_bytes,
    corpus = None, lender = None, kept = None, stop = None,
))]
fn read_runs<'py>(
    py: Python<'py>,
    judgments: &PyJudgments,
    sources: Vec<Input<'py>>,
    ties: &str,
    single: bool,
    duplicates: &str,
    floor: f64,
    top: usize,
    threads: usize,
    max_bytes: u64,
    corpus: Option<Rule>,
    lender: Option<Py<PyAny>>,
    kept: Option<Vec<bool>>,
    stop: Option<Bound<'py, Stop>>,
) -> PyResult<(Bound<'py, PyDict>, Vec<PyAccount>)> {
    let judgments = &judgments.0;
    let ties = match ties {
        "docid" => Ties::DocumentDescending,
        "docid-asc" => Ties::DocumentAscending,
        "rank" => Ties::Rank,
        _ => return Err(PyValueError::new_err(format!("no such order: {ties}"))),
    };
    let options = Options {
        rules: Rules {
            ties,
            duplicates: self::duplicates(duplicates)?,
            listed: judgments
                .grades
                .iter()
                .map(|&grade| grade > floor)
                .collect(),
            top,
        },
        single,
        corpus: corpus.map(Rule::corpus).transpose()?,
        max_bytes,
        threads,
    };
    let runs = sources
        .into_iter()
        .map(Input::run)
        .collect::<PyResult<Vec<_>>>()?;
    let failure = Mutex::new(None);
    let ask = |topic: &str| {
        let answer = Python::attach(|py| {
            let answer = lender.as_ref()?.call1(py, (topic,));
            let answer = answer.and_then(|answer| answer.extract::<Option<String>>(py));
            answer.unwrap_or_else(|error| {
                failure
                    .lock()
                    .expect("no panic under it")
                    .get_or_insert(error);
                None
            })
        });
        judgments.index.get(answer?.as_bytes()).copied()
    };
    let resolver = Resolver::new(judgments, lender.as_ref().map(|_| &ask as _));
    let stop = stop.map_or_else(|| Py::new(py, Stop::new()), |stop| Ok(stop.unbind()))?;
    let flag = &stop.get().0;
    let found = attentive(py, flag, || runs::read(&runs, &resolver, &options, flag))?;
    if flag.load(Ordering::Relaxed) {
        return Err(PyRuntimeError::new_err("reading was stopped"));
    }
    let lent = resolver.lent();
    if let Some(error) = failure.lock().expect("no panic under it").take() {
        return Err(error);
    }
    let (topics, arrays, accounts) = py.detach(|| {
        let (topics, columns) = assemble::topics(&found, judgments, &lent, kept.as_deref());
        let arrays = assemble::arrays(&found, judgments, &columns, topics.len(), top > 0);
        let accounts = found
            .into_iter()
            .map(|(_, account)| account)
            .collect::<Vec<_>>();
        (topics, arrays, accounts)
    });
    let accounts = accounts.into_iter().map(PyAccount::from).collect();
    Ok((dictionary(py, topics, arrays)?, accounts))
}

/// Works without the interpreter, but looks up for an interrupt now and then.
fn attentive<R: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    // The workers may call the interpreter, so nobody waits for them while holding it.
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            scope.spawn(move || sender.send(work()));
            loop {
                match receiver.recv_timeout(PATIENCE) {
                    Ok(result) => return Ok(result),
                    Err(RecvTimeoutError::Timeout) => Python::attach(|py| {
                        py.check_signals()
                            .inspect_err(|_| stop.store(true, Ordering::Relaxed))
                    })?,
                    Err(RecvTimeoutError::Disconnected) => panic!("a working thread failed"),
                }
            }
        })
    })
}

fn dictionary(py: Python<'_>, topics: Vec<Topic>, arrays: Arrays) -> PyResult<Bound<'_, PyDict>> {
    let (topics, groups): (Vec<String>, Vec<u32>) = topics.into_iter().unzip();
    let groups: Vec<i64> = groups.into_iter().map(i64::from).collect();
    let (owners, unjudged): (Vec<u32>, Vec<String>) = arrays.unjudged.into_iter().unzip();
    let owners: Vec<i64> = owners.into_iter().map(i64::from).collect();
    let out = PyDict::new(py);
    out.set_item("topics", topics)?;
    out.set_item("groups", groups.into_pyarray(py))?;
    out.set_item("offsets", arrays.offsets.into_pyarray(py))?;
    out.set_item("ranks", arrays.ranks.into_pyarray(py))?;
    out.set_item("judged", arrays.judged.into_pyarray(py))?;
    out.set_item("mirrored", arrays.mirrored.into_pyarray(py))?;
    out.set_item("retrieved", arrays.retrieved.into_pyarray(py))?;
    out.set_item("tied", arrays.tied.into_pyarray(py))?;
    out.set_item("judged_top", arrays.judged_top.into_pyarray(py))?;
    out.set_item("top_offsets", arrays.top_offsets.into_pyarray(py))?;
    out.set_item("top_scores", arrays.top_scores.into_pyarray(py))?;
    out.set_item("top_documents", arrays.top_documents.into_pyarray(py))?;
    out.set_item("unjudged", unjudged)?;
    out.set_item("unjudged_groups", owners.into_pyarray(py))?;
    Ok(out)
}

#[pymodule]
mod _core {
    #[pymodule_export]
    use super::formulations::{arrange, picks};
    #[pymodule_export]
    use super::invert::invert;
    #[pymodule_export]
    use super::permute::permute;
    #[pymodule_export]
    use super::pieces::Pieces;
    #[pymodule_export]
    use super::search::search;
    #[pymodule_export]
    use super::tokens::{count_tokens, porter_stems, tokenise};
    #[pymodule_export]
    use super::{PyAccount, PyJudgments, Stop, read, read_judgments, read_runs};

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name Python looks for")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
