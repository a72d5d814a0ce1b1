"""From parts to scores: joined, chosen from, put in order, searched for duplicates."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from mohs.errors import FormatError, InputError, UnknownNameError
from mohs.scores.observations import Scores, find_measure, fulfilled
from mohs.tables import Factor
from mohs.trec.evaluations import ALL
from mohs.trec.formulations import split_queries
from mohs.trec.inputs import check_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.scores.layouts import Part
    from mohs.scores.request import Request
    from mohs.trec.formulations import Rule

    Labels = Mapping[str, Factor]

# What a measure is called that nobody named.
UNNAMED = "value"

_ROWS = "add rows such as a,401,AP,0.5 below the header"

_LARGEST_KEY = 1 << 62


def join(parts: Sequence[Part], request: Request) -> Scores:
    """Return the observations of all parts that were chosen, in natural order.

    Raises
    ------
    FormatError
        With everything that is wrong in the parts or between them.
    InputError
        If the parts do not fit each other, or nothing was chosen.
    """
    _check(parts)
    parts = _of_measure(parts, request)
    labels = _joined(parts)
    means = labels["topic"].codes == _code(labels["topic"], ALL)
    if request.formulation is not None:
        labels = _split(labels, request.formulation)
    keep = fulfilled(request.conditions, labels, _known(parts, labels)) & ~means
    if not keep.any():
        _raise_nothing(parts, means)
    notes = [note for part in parts for note in part.notes]
    if means.any():
        notes.append(f"{means.sum():,} rows of means ({ALL}) are left out")
    return _ordered(parts, labels, np.flatnonzero(keep), tuple(notes))


def _raise_nothing(parts: Sequence[Part], means: NDArray[np.bool_]) -> NoReturn:
    if means.all() and len(means):
        remedy = "add the rows of topics, as trec_eval -q prints them"
        raise FormatError(parts[0].source, 0, "holds means and no topics", remedy)
    if len(means) or any(part.known for part in parts):
        raise InputError("no observation fulfils all conditions")
    raise FormatError(parts[0].source, 0, "holds no observations", _ROWS)


def _check(parts: Sequence[Part]) -> None:
    if not parts:
        raise InputError("no scores given; name files, folders or patterns")
    faults = [
        fault
        for part in parts
        for fault in sorted(
            [*part.faults, *_infinite(part), *_unwritable(part)],
            key=lambda each: each.line,
        )
    ]
    if faults:
        raise FormatError.gather(faults)
    named = [part for part in parts if part.run]
    check_names([part.source for part in named], [part.run for part in named])
    first, *others = ({*part.factors} for part in parts)
    for part, names in zip(parts[1:], others, strict=True):
        for name in sorted(names ^ first):
            has, lacks = (part, parts[0]) if name in names else (parts[0], part)
            problem = f"has no column {name!r}, and {has.source} has"
            raise FormatError(lacks.source, 0, problem, "read them apart, or --rename")


def _infinite(part: Part) -> Iterator[FormatError]:
    rows = np.flatnonzero(np.isinf(part.values)).tolist()
    for line in part.lines(rows):
        yield FormatError(part.source, line, "value is infinite", "make it finite")


def _unwritable(part: Part) -> Iterator[FormatError]:
    """Find text that UTF-8 cannot hold: halves of characters, as JSON may have."""
    for name, factor in _labels(part).items():
        for level in factor.levels:
            try:
                level.encode()
            except UnicodeEncodeError:
                problem = f"{name} {level!r} holds half a character"
                yield FormatError(part.source, 0, problem, "write it in full")


def _labels(part: Part) -> Labels:
    measure = {} if part.measure is None else {"measure": part.measure}
    return {**part.factors, **measure}


def _of_measure(parts: Sequence[Part], request: Request) -> list[Part]:
    """Return the rows of the chosen measure, whatever each source calls it."""
    wanted = request.measure
    if wanted is None:
        return list(parts)
    found = [_spelling(part, wanted, request.canonical) for part in parts]
    label = next((level for level in found if level is not None), None)
    if label is None:
        known = {level for part in parts for level in _measures(part)}
        raise UnknownNameError("measure in the scores", wanted, known)
    return [
        _relabelled(part, level, label)
        for part, level in zip(parts, found, strict=True)
        if level is not None
    ]


def _spelling(part: Part, wanted: str, canonical: Callable[[str], str]) -> str | None:
    if part.measure is None:
        return wanted
    try:
        return find_measure(_measures(part), wanted, canonical)
    except UnknownNameError:
        return None


def _measures(part: Part) -> Sequence[str]:
    found = part.measure.levels if part.measure is not None else ()
    return sorted({*found, *part.known.get("measure", ())})


def _relabelled(part: Part, level: str, label: str) -> Part:
    if part.measure is None:
        note = f"{part.source}: no measure is named, taken as {label}"
        constant = Factor.constant(label, len(part.values))
        return replace(part, measure=constant, notes=(*part.notes, note))
    rows = np.flatnonzero(part.measure.codes == _code(part.measure, level))
    return replace(
        part,
        factors={name: each.take(rows) for name, each in part.factors.items()},
        measure=Factor.constant(label, len(rows)),
        values=part.values[rows],
        lines=lambda places: part.lines(rows[list(places)].tolist()),
    )


def _joined(parts: Sequence[Part]) -> Labels:
    unnamed = [
        part.measure or Factor.constant(UNNAMED, len(part.values)) for part in parts
    ]
    labels = {
        name: _concatenated([part.factors[name] for part in parts])
        for name in parts[0].factors
    }
    return labels | {"measure": _concatenated(unnamed)}


def _concatenated(factors: Sequence[Factor]) -> Factor:
    if len(factors) == 1:
        return factors[0]
    codes: dict[str, int] = {}
    parts = []
    for factor in factors:
        places = [codes.setdefault(level, len(codes)) for level in factor.levels]
        parts.append(np.array(places, dtype=np.int32)[factor.codes])
    return Factor(tuple(codes), np.concatenate(parts))


def _code(factor: Factor, level: str) -> int:
    return factor.levels.index(level) if level in factor.levels else len(factor.levels)


def _split(labels: Labels, rule: Rule) -> Labels:
    if "formulation" in labels:
        remedy = "leave out --formulation"
        raise InputError(f"the scores have a column formulation already; {remedy}")
    topic = labels["topic"]
    queries = [level for level in topic.levels if level != ALL]
    named = dict(zip(queries, split_queries(queries, rule), strict=True))
    pairs = [named.get(level, (ALL, ALL)) for level in topic.levels]
    first, second = (Factor.of(pair[side] for pair in pairs) for side in (0, 1))
    return dict(labels) | {
        "topic": Factor(first.levels, first.codes[topic.codes]),
        "formulation": Factor(second.levels, second.codes[topic.codes]),
    }


def _known(parts: Sequence[Part], labels: Labels) -> Mapping[str, set[str]]:
    return {
        name: {*factor.levels}.union(*(part.known.get(name, ()) for part in parts))
        for name, factor in labels.items()
    }


def _ordered(
    parts: Sequence[Part],
    labels: Labels,
    rows: NDArray[np.intp],
    notes: tuple[str, ...],
) -> Scores:
    chosen = {name: factor.take(rows).arranged() for name, factor in labels.items()}
    leading = {name: chosen[name] for name in ("system", "topic")}
    ordered = leading | {name: chosen[name] for name in chosen if name not in leading}
    keys = _keys(list(ordered.values()))
    order = np.argsort(keys, kind="stable")
    same = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    if len(same):
        pairs = np.column_stack([order[same], order[same + 1]])
        raise FormatError.gather(_duplicates(parts, ordered, rows, pairs))
    values = np.concatenate([part.values for part in parts])
    measure = ordered.pop("measure")
    return Scores(
        {name: factor.take(order) for name, factor in ordered.items()},
        measure.take(order),
        values[rows[order]],
        notes,
    )


def _keys(factors: Sequence[Factor]) -> NDArray[np.int64]:
    """Return numbers that order rows as their labels do, first factor first."""
    keys = np.zeros(len(factors[0]), dtype=np.int64)
    size = 1
    for factor in factors:
        levels = max(len(factor.levels), 1)
        if size * levels > _LARGEST_KEY:
            distinct, keys = np.unique(keys, return_inverse=True)
            size = len(distinct)
        keys = keys * levels + factor.codes
        size *= levels
    return keys


def _duplicates(
    parts: Sequence[Part],
    labels: Labels,
    rows: NDArray[np.intp],
    pairs: NDArray[np.intp],
) -> list[FormatError]:
    firsts, seconds = (_places(parts, rows[pairs[:, side]]) for side in (0, 1))
    faults = []
    for row, first, second in zip(pairs[:, 1].tolist(), firsts, seconds, strict=True):
        names = ", ".join(
            f"{name} {factor.levels[factor.codes[row]]}"
            for name, factor in labels.items()
        )
        same = first[0] == second[0]
        where = f"line {first[1]}" if same else ":".join(map(str, first))
        remedy = f"the first is on {where}" if first[1] else "remove one"
        faults.append(FormatError(*second, f"a second value for {names}", remedy))
    return sorted(faults, key=lambda fault: (fault.path, fault.line))


def _places(parts: Sequence[Part], rows: NDArray[np.intp]) -> list[tuple[str, int]]:
    """Return source and line of some rows of all parts together."""
    ends = list(itertools.accumulate(len(part.values) for part in parts))
    owners = np.searchsorted(ends, rows, side="right")
    places: dict[int, tuple[str, int]] = {}
    for owner, part in enumerate(parts):
        mine = np.flatnonzero(owners == owner)
        start = ends[owner] - len(part.values)
        lines = part.lines((rows[mine] - start).tolist())
        places |= {
            place: (part.source, line)
            for place, line in zip(mine.tolist(), lines, strict=True)
        }
    return [places[place] for place in range(len(rows))]
