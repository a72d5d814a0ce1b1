"""What evaluation programs print: a measure, a topic and a value on every line.

trec_eval writes the measure first, ir_measures the topic; neither names its columns.
The column whose every entry is the name of a measure is the measure. Lines for
``all`` topics are means, and are left out.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import FormatError
from mohs.tables import Factor
from mohs.trec.numbers import is_number, read_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

ALL = "all"

# Measures of trec_eval 9, with or without a cut-off, level or other parameter.
_TREC_EVAL = re.compile(
    r"(map|gm_map|map_cut|set_map|Rprec|Rprec_mult|bpref|gm_bpref|infAP|recip_rank"
    r"|iprec_at_recall|11pt_avg|P|recall|success|relative_P|ndcg|ndcg_cut|ndcg_rel"
    r"|Rndcg|G|binG|yaap|utility|set_P|set_recall|set_F|set_relative_P|qrels_jg"
    r"|num_q|num_ret|num_rel|num_rel_ret|num_nonrel_judged_ret|runid|relstring"
    r"|prefs_\w+)([_.][0-9.,=a-z-]+)?"
)
# Lines of trec_eval that hold text.
_TEXTS = frozenset({"runid", "relstring"})

_FIELDS = 3
_LAYOUT = "lines read 'measure topic value' or 'topic measure value'"

Line = tuple[int, str, str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Evaluation:
    """Values of one run, observation by observation.

    ``topics``, ``measures``, ``values`` and ``lines`` (N,), the last being numbers of
    lines in the file; ``tag`` is the name the file itself gives the run.
    """

    topics: Factor
    measures: Factor
    values: NDArray[np.float64]
    lines: NDArray[np.int64]
    tag: str | None


def is_trec_eval_name(text: str) -> bool:
    """Return whether trec_eval could have printed this name of a measure.

    Examples
    --------
    >>> [is_trec_eval_name(name) for name in ("P_10", "ndcg_cut_20", "401")]
    [True, True, False]
    """
    return _TREC_EVAL.fullmatch(text) is not None


def looks_like_evaluation(fields: Sequence[str]) -> bool:
    """Return whether the fields of a first line are those of an evaluation."""
    whole = len(fields) == _FIELDS and all(fields)
    return whole and (is_number(fields[2]) or ALL in fields[:2])


def read_evaluation(
    text: str, name: str, *, is_measure: Callable[[str], bool]
) -> Evaluation:
    """Return the values of an evaluation, without its means.

    ``is_measure`` tells what else is the name of a measure.

    Raises
    ------
    FormatError
        With every line that is malformed.
    """
    lines, faults = _read_lines(text, name)
    if not faults:
        lines = _topic_first(lines, name, is_measure)
    tags = [value for _, _, measure, value in lines if measure == "runid"]
    lines = [line for line in lines if line[1] != ALL and line[2] not in _TEXTS]
    values, problems = read_numbers([value for *_, value in lines])
    faults += [FormatError(name, lines[i][0], each) for i, each in problems.items()]
    if faults:
        raise FormatError.gather(sorted(faults, key=lambda fault: fault.line))
    if not lines:
        remedy = "run trec_eval with -q"
        raise FormatError(name, 0, "holds means and no topics", remedy)
    return Evaluation(
        Factor.of(topic for _, topic, _, _ in lines),
        Factor.of(measure for _, _, measure, _ in lines),
        values,
        np.array([number for number, *_ in lines], dtype=np.int64),
        tags[0] if tags else None,
    )


def split_line(line: str) -> list[str]:
    """Return the fields of a line separated by tabs, blanks or commas."""
    if "\t" in line:
        return [field.strip() for field in line.split("\t")]
    fields = line.split()
    if len(fields) < _FIELDS and "," in line:
        return [field.strip() for field in _split_at_commas(line)]
    return fields


def _split_at_commas(line: str) -> list[str]:
    if '"' in line:
        try:
            return next(csv.reader([line]), [])
        except csv.Error:  # A carriage return within, which is no field's end.
            pass
    return line.split(",")


def _read_lines(text: str, name: str) -> tuple[list[Line], list[FormatError]]:
    lines: list[Line] = []
    faults: list[FormatError] = []
    for number, fields in _fields(text):
        if len(fields) == _FIELDS and all(fields[:2]):
            lines.append((number, fields[0], fields[1], fields[2]))
        elif len(fields) == _FIELDS:
            problem = "no topic or measure is given"
            faults.append(FormatError(name, number, problem, _LAYOUT))
        else:
            problem = f"expected {_FIELDS} fields, found {len(fields)}"
            faults.append(FormatError(name, number, problem, _LAYOUT))
    return lines, faults


def _fields(text: str) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, split_line(line)


def _topic_first(
    lines: Sequence[Line], name: str, is_measure: Callable[[str], bool]
) -> list[Line]:
    columns = [{line[1] for line in lines}, {line[2] for line in lines}]
    measures = [
        all(
            # To ask for all other measures takes time; numbered topics are none.
            is_trec_eval_name(each) or (not each[:1].isdigit() and is_measure(each))
            for each in names - {ALL}
        )
        for names in columns
    ]
    if measures[0] == measures[1]:
        # Any word may be a measure, but only topics are ever `all` topics.
        measures = [ALL in columns[1], ALL in columns[0]]
    if measures[0] == measures[1]:
        remedy = "write a header line: topic, measure, value"
        raise FormatError(name, 0, "cannot tell which column is the measure", remedy)
    if not measures[0]:
        return list(lines)
    return [(number, topic, measure, value) for number, measure, topic, value in lines]
