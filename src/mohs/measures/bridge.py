"""Measures outside the catalogue, through ir_measures where that is installed.

ir_measures is imported only when a measure asks for it. It reads one run at a time,
from a file or from dicts, and ranks by its own rules.
"""

from __future__ import annotations

import importlib.util
import os
import re
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from mohs.errors import InputError, MissingExtraError
from mohs.measures.catalogue import MEASURES
from mohs.measures.spelling import Measure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Source = str | os.PathLike[str] | Mapping[str, Mapping[str, float]]

# What ir_measures adds to the catalogue, to tell "not installed" from "mistyped".
NAMES = frozenset(
    (
        *("Accuracy", "alpha_DCG", "alpha_nDCG", "AP_IA", "BPM", "Compat", "ERR_IA"),
        *("INSQ", "INST", "MAP_IA", "NERR8", "NERR9", "NERR10", "NERR11", "nERR_IA"),
        *("nNRBP", "NRBP", "P_IA", "SDCG", "StRecall"),
    )
)


def is_foreign(measure: Measure) -> bool:
    """Tell whether a measure has to be left to ir_measures."""
    return measure.name not in MEASURES.names()


def parse(text: str) -> Measure | None:
    """Read a measure that ir_measures knows; None when it knows none of this name.

    Raises
    ------
    MissingExtraError
        When the measure is one of ir_measures' and that is not installed.
    """
    name = re.split(r"[(@]", text, maxsplit=1)[0].strip()
    if importlib.util.find_spec("ir_measures") is None:
        if name in NAMES:
            raise MissingExtraError(f"measure {text!r}", "ir")
        return None
    try:
        known = _load(text)
        known.validate_params()
    except (ValueError, NameError, TypeError, KeyError, AssertionError):
        return None
    return Measure(str(known))


def calculate(
    measures: Sequence[Measure], judgments: Source, run: Source, topics: Sequence[str]
) -> NDArray[np.float64]:
    """Let ir_measures compute measures of one run on each topic: (M, Q).

    Parameters
    ----------
    measures
        Measures for which `is_foreign` holds.
    judgments, run
        Paths of TREC files, or dicts from topic to document to grade or score. Some
        measures need the path, since subtopics stand in no dict.
    topics
        Topics in the order wanted; one that was not retrieved has ir_measures' value
        for such a topic, mostly 0.
    """
    import ir_measures

    known = [_load(measure.name) for measure in measures]
    values = {(str(m), topic): m.DEFAULT for m in known for topic in topics}
    qrels = _opened(judgments, ir_measures.read_trec_qrels)
    try:
        for metric in ir_measures.iter_calc(
            known, qrels, _opened(run, ir_measures.read_trec_run)
        ):
            values[str(metric.measure), metric.query_id] = metric.value
    except (ArithmeticError, ValueError, RuntimeError, AssertionError) as problem:
        listed = ", ".join(measure.name for measure in measures)
        raise InputError(f"ir_measures cannot compute {listed}: {problem}") from None
    return np.array([[values[str(m), topic] for topic in topics] for m in known])


def _load(text: str) -> Any:  # noqa: ANN401 (their classes carry no types)
    import ir_measures

    with warnings.catch_warnings():
        # It uses parts of ast that newer Pythons call deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        return ir_measures.parse_measure(text)


def _opened(source: Source, reader: Any) -> Any:  # noqa: ANN401
    if isinstance(source, str | os.PathLike):
        return reader(os.fspath(source))
    return source
