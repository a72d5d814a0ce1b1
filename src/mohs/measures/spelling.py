"""Measures as values that read and print the same.

One spelling is canonical, that of ir_measures: ``nDCG@20``, ``P(rel=2)@10``,
``SetF(beta=2.0)``. trec_eval's is read too: ``ndcg_cut.20``, ``P_10``, ``map``; one of
its names may stand for several measures, as ``P.5,10`` does.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, cast

from mohs.errors import InputError, UnknownNameError
from mohs.gains.scales import Scaled
from mohs.measures.catalogue import MEASURES
from mohs.measures.definition import Alias, Value
from mohs.measures.graded import SPELLED

if TYPE_CHECKING:
    from mohs.gains.grades import Gain
    from mohs.measures.definition import Definition, Parameter

_WRITTEN = re.compile(r"(?P<name>\w+)(\((?P<given>.*)\))?(@(?P<cutoff>.*))?", re.DOTALL)
_GIVEN = re.compile(
    r"\s*(\w+)\s*=\s*('[^']*'|\"[^\"]*\"|\{[^{}]*\}|[^\s,()'\"={}]+)\s*(?:,|$)"
)
_UNDERSCORED = re.compile(r"(?P<name>\w+?)_(?P<values>[0-9.]+(,[0-9.]+)*)")

# The sets of trec_eval in its own order, without the measures that Mohs lacks.
_COUNTS = ("num_q", "num_ret", "num_rel", "num_rel_ret")
_SET_BASED = ("set_P", "set_relative_P", "set_recall", "set_map", "set_F")
OFFICIAL = (
    *_COUNTS,
    *("map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"),
)
ALL_TREC = (
    *OFFICIAL,
    *("recall", "infAP", "gm_bpref", "11pt_avg", "ndcg", "ndcg_cut", "map_cut"),
    *("success", *_SET_BASED, "num_nonrel_judged_ret"),
)
SETS = {
    "official": OFFICIAL,
    "set": (*_COUNTS, *_SET_BASED),
    "all_trec": ALL_TREC,
}


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure with its parameters; prints as it is written.

    ``parameters`` holds what was spelled out, in the order of the catalogue, and
    ``cutoff`` what followed the ``@``: a rank, or a recall.

    Examples
    --------
    >>> str(Measure("P", (("rel", 2),), 10))
    'P(rel=2)@10'
    """

    name: str
    parameters: tuple[tuple[str, Value], ...] = ()
    cutoff: float | None = None

    def __str__(self) -> str:
        given = ",".join(f"{name}={value!r}" for name, value in self.parameters)
        where = "" if self.cutoff is None else f"@{self.cutoff}"
        return self.name + (f"({given})" if given else "") + where


class _Name(NamedTuple):
    definition: Definition
    alias: Alias


def parse(text: str) -> tuple[Measure, ...]:
    """Read a measure, or the several that one name of trec_eval stands for.

    Parameters
    ----------
    text
        A name in the spelling of ir_measures or of trec_eval, or one of trec_eval's
        sets ``official``, ``set`` and ``all_trec``. Case matters only where two
        names differ by nothing else.

    Raises
    ------
    UnknownNameError
        When there is no such measure; the nearest name is suggested.
    InputError
        When a parameter or a cut-off is missing, superfluous or out of range.

    Examples
    --------
    >>> [str(measure) for measure in parse("P.5,10")]
    ['P@5', 'P@10']
    >>> parse("ndcg_cut_20") == parse("nDCG@20")
    True
    """
    text = text.strip()
    if text.lower() in SETS:
        return tuple(m for name in SETS[text.lower()] for m in parse(name))
    try:
        measures = _parse(text)
    except _NoSuchParameterError:
        if foreign := _foreign(text):
            return (foreign,)
        raise
    if measures is not None:
        return measures
    if foreign := _foreign(text):
        return (foreign,)
    raise _unknown(text)


def canonical(name: str) -> str:
    """Spell a measure's name canonically; a name that is no measure stays as it is.

    Examples
    --------
    >>> canonical("ndcg_cut.20"), canonical("AP(rel=1)"), canonical("my score")
    ('nDCG@20', 'AP', 'my score')
    """
    try:
        measures = _parse(name.strip()) or ()
    except InputError:
        return name
    return str(pinned(measures[0])) if len(measures) == 1 else name


def same_measure(left: str, right: str) -> bool:
    """Tell whether two names mean one measure, whatever their dialect and case.

    Examples
    --------
    >>> same_measure("map", "AP"), same_measure("ap", "MAP"), same_measure("P@5", "P@9")
    (True, True, False)
    """
    return left == right or canonical(left).lower() == canonical(right).lower()


def pinned(measure: Measure, level: float = 1, gain: Gain | None = None) -> Measure:
    """Write level and gain into a measure, and leave out what goes without saying.

    Computed at level 1 with linear gains, as everybody else does, the result is the
    measure at this level with this gain: ``AP`` at level 2 is ``AP(rel=2)``, and ERR of
    φ is ``ERR(max=1)``. A gain that the measure has no spelling for leaves no trace.

    Examples
    --------
    >>> str(pinned(Measure("AP"), level=2)), str(pinned(Measure("NumRelRet")))
    ('AP(rel=2)', 'NumRet(rel=1)')
    """
    if measure.name not in MEASURES.names():
        return measure
    definition = MEASURES[measure.name]
    given = dict(measure.parameters)
    asked: dict[str, Value | None] = {
        "level": int(level) if level == int(level) else level,
        "highest": gain.scale.highest if isinstance(gain, Scaled) else None,
    }
    for parameter in definition.parameters:
        words = SPELLED.get(parameter.name, {}).items()
        spelled = next((word for word, known in words if known == gain), None)
        value = spelled if words else asked.get(parameter.follows)
        if value is not None:
            given.setdefault(parameter.name, value)
    if definition.explicit:
        return Measure(definition.explicit, tuple(given.items()))
    kept = tuple(
        (parameter.name, given[parameter.name])
        for parameter in definition.parameters
        if given.get(parameter.name, parameter.default) != parameter.default
    )
    return replace(measure, parameters=kept)


class _NoSuchParameterError(InputError):
    """A measure of ours has no such parameter, though ir_measures' may."""


def _foreign(text: str) -> Measure | None:
    # Imported late: bridge needs Measure, and few evaluations need the bridge.
    from mohs.measures import bridge

    return bridge.parse(text)


def _parse(text: str) -> tuple[Measure, ...] | None:
    """Read a measure of the catalogue; None when no name in it fits."""
    written = _WRITTEN.fullmatch(text)
    if written and (found := _find(written["name"])):
        bare = written["given"] is None and written["cutoff"] is None
        if bare and found.alias.family:
            family = [str(value) for value in found.alias.family]
            return tuple(_with_argument(text, found, value) for value in family)
        given = _given(text, written["given"] or "")
        if written["cutoff"] is not None:
            given["cutoff"] = written["cutoff"]
        return (_build(text, found, given),)
    name, values = _split(text)
    if (found := _find(name)) and values:
        several = (_with_argument(text, found, value) for value in values.split(","))
        return tuple(dict.fromkeys(several))
    return None


def _split(text: str) -> tuple[str, str]:
    """Split trec_eval's ``name.values`` or the ``name_values`` that it prints."""
    name, dot, values = text.partition(".")
    if dot and _find(name):
        return name, values
    underscored = _UNDERSCORED.fullmatch(text)
    return (underscored["name"], underscored["values"]) if underscored else (text, "")


def _with_argument(text: str, found: _Name, value: str) -> Measure:
    if not found.alias.argument:
        takes = _takes(found.definition)
        raise InputError(f"{text}: {found.alias.name} takes no number here; {takes}")
    return _build(text, found, {found.alias.argument: value})


def _given(text: str, inside: str) -> dict[str, str]:
    """Read the ``name=value`` pairs between parentheses."""
    given: dict[str, str] = {}
    at = 0
    while at < len(inside):
        pair = _GIVEN.match(inside, at)
        if not pair or pair[1] in given or pair[1] == "cutoff":
            raise InputError(f"{text}: expected name=value pairs, found ({inside})")
        given[pair[1]] = pair[2]
        at = pair.end()
    return given


def _build(text: str, found: _Name, given: dict[str, str]) -> Measure:
    """Make a measure of the texts of its parameters, or say what is wrong."""
    definition, alias = found
    known = {parameter.name: parameter for parameter in definition.takes()}
    values: dict[str, Value] = dict(alias.preset)
    for name, value in given.items():
        if name not in known:
            what = "cut-off" if name == "cutoff" else f"parameter {name!r}"
            takes = _takes(definition)
            problem = f"{text}: {definition.name} has no {what}; {takes}"
            raise (InputError if name == "cutoff" else _NoSuchParameterError)(problem)
        values[name] = _read(text, known[name], value)
    for parameter in known.values():
        if parameter.required and parameter.name not in values:
            example = f"{definition.name}@{parameter.example}"
            raise InputError(f"{text}: a cut-off is missing, as in {example}")
    cutoff = cast("float | None", values.pop("cutoff", None))
    ordered = tuple((name, values[name]) for name in known if name in values)
    written = definition.explicit if "rel" in values else ""
    return Measure(written or definition.name, ordered, cutoff)


def _read(text: str, parameter: Parameter, value: str) -> Value:
    try:
        return parameter.read(value)
    except (ValueError, KeyError):
        what = "the cut-off" if parameter.name == "cutoff" else parameter.name
        raise InputError(
            f"{text}: {what} must be {parameter.accepts}, found {value!r}"
        ) from None


def _takes(definition: Definition) -> str:
    names = [parameter.name for parameter in definition.parameters]
    if definition.cutoff:
        names.append(f"a cut-off ({definition.name}@…)")
    return f"it accepts {', '.join(names)}" if names else "it accepts no parameters"


@cache
def _names(registered: tuple[str, ...]) -> dict[str, _Name]:
    """Map every name of the registered measures to them, canonical ones first."""
    names = {name: _Name(MEASURES[name], Alias(name)) for name in registered}
    for name in registered:
        for alias in MEASURES[name].aliases:
            # trec_eval's "P" is also ours, but only trec_eval's has a family.
            names[alias.name] = _Name(MEASURES[name], alias)
    return names


@cache
def _folded(registered: tuple[str, ...]) -> dict[str, str]:
    """Map names in lower case to the first that is written so."""
    return {name.lower(): name for name in reversed(_names(registered))}


def _find(name: str) -> _Name | None:
    registered = MEASURES.names()
    names = _names(registered)
    return names.get(name) or names.get(_folded(registered).get(name.lower(), ""))


def _unknown(text: str) -> UnknownNameError:
    """Say that there is no such measure, and spell the nearest one out in full."""
    stem = re.match(r"\w*?(?=_?[0-9.,]*$|\W)", text)
    name = stem[0] if stem else text
    rest = text[len(name) :]
    nearest = _nearest(name) or _nearest(text)
    tries = [f"{nearest}{rest}", f"{nearest}@{rest}", nearest] if nearest else []
    suggestion = next((attempt for attempt in tries if _reads(attempt)), nearest)
    return UnknownNameError("measure", text, MEASURES.names(), suggestion=suggestion)


def _reads(text: str) -> bool:
    try:
        return _parse(text) is not None
    except InputError:
        return False


def _nearest(name: str) -> str | None:
    folded = _folded(MEASURES.names())
    close = difflib.get_close_matches(name.lower(), folded, n=1)
    return folded[close[0]] if close else None
