//! Files in pieces for Python, so that no more of a large one is in memory than needed.

use super::PATIENCE;
use crate::fault::Fault;
use crate::source::Source;
use crate::unpack::Limits;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};

/// How many pieces may wait to be taken.
const AHEAD: usize = 2;

#[derive(FromPyObject)]
enum Origin {
    Memory(Vec<u8>),
    File(PathBuf),
}

/// A file that is read, and unpacked if need be, by a thread of its own.
#[pyclass(frozen)]
pub struct Pieces {
    pieces: Mutex<Receiver<Result<Vec<u8>, Fault>>>,
    stop: Arc<AtomicBool>,
}

#[pymethods]
impl Pieces {
    #[new]
    fn new(source: Origin, max_bytes: u64) -> Self {
        let source = match source {
            Origin::Memory(bytes) => Source::Memory(bytes),
            Origin::File(path) => Source::File(path),
        };
        let (sender, receiver) = sync_channel(AHEAD);
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        std::thread::spawn(move || {
            let limits = Limits {
                max_bytes,
                stop: &flag,
            };
            let outcome = source.pieces(limits, |piece| sender.send(Ok(piece)).is_ok());
            if let Err(fault) = outcome {
                // Nobody may be there any more to hear of it.
                let _ = sender.send(Err(fault));
            }
        });
        Self {
            pieces: Mutex::new(receiver),
            stop,
        }
    }

    /// The next piece, or none at the end; the second value says what is wrong.
    fn take<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(
        Option<Bound<'py, PyBytes>>,
        Option<(u64, &'static str, String)>,
    )> {
        loop {
            let pieces = || self.pieces.lock().expect("no panic under it");
            match py.detach(|| pieces().recv_timeout(PATIENCE)) {
                Ok(Ok(piece)) => return Ok((Some(PyBytes::new(py, &piece)), None)),
                Ok(Err(fault)) => return Ok((None, Some((fault.line, fault.code, fault.text)))),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Ok((None, None)),
            }
        }
    }
}

impl Drop for Pieces {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
