"""Nested dictionaries as observations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from mohs.errors import FormatError, InputError
from mohs.scores.layouts import Part
from mohs.scores.records import nowhere, to_numbers
from mohs.tables import Factor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Keys: TypeAlias = tuple[str, ...]

RUN = "run"

_EXPECTED = "give values as {system: {topic: {measure: value}}}"

# What the keys of nested dictionaries are, from the outside in.
_SYSTEMS: Keys = ("system", "topic", "measure")
_ONE_SYSTEM: Keys = ("topic", "measure")
_ONE_MEASURE: Keys = ("system", "topic")


def nested_part(
    scores: Mapping[Any, Any], source: str, *, is_measure: Callable[[str], bool]
) -> Part:
    """Return the observations of a dictionary of dictionaries.

    By depth it is ``{system: {topic: {measure: value}}}``, or, where all inner keys are
    measures, ``{topic: {measure: value}}`` of a system called ``run``, or else
    ``{system: {topic: value}}``.

    Raises
    ------
    InputError
        If an id is not text, or the depth differs.
    """
    leaves = list(_leaves(scores, (), source))
    depths = {len(path) for path, _ in leaves}
    if not leaves:
        raise FormatError(source, 0, "holds no observations", _EXPECTED)
    if len(depths) > 1 or not depths <= {2, 3}:
        expected = "{system: {topic: {measure: value}}}"
        problem = f"is not of the form {expected}"
        raise FormatError(source, 0, problem, "nest it to that depth throughout")
    keys = _SYSTEMS
    if depths == {2}:
        inner = {path[1] for path, _ in leaves}
        keys = _ONE_SYSTEM if all(map(is_measure, inner)) else _ONE_MEASURE
    labels = {
        key: Factor.of(path[place] for path, _ in leaves)
        for place, key in enumerate(keys)
    }
    values, problems = to_numbers([value for _, value in leaves])
    faults = [
        FormatError(source, 0, f"{', '.join(leaves[row][0])}: {problem}")
        for row, problem in problems.items()
    ]
    faults += [
        FormatError(source, 0, f"an id is empty in {path}", "give it a name")
        for path, _ in leaves
        if "" in path
    ]
    measure = labels.pop("measure", None)
    run = "" if "system" in labels else RUN
    labels.setdefault("system", Factor.constant(RUN, len(values)))
    return Part(source, labels, measure, values, nowhere, tuple(faults), run=run)


def _leaves(
    value: Any,  # noqa: ANN401 - what users nest
    path: tuple[str, ...],
    source: str,
) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not isinstance(value, Mapping):
        yield path, value
        return
    for key, inner in value.items():
        if isinstance(key, int | float | np.number):
            raise InputError(
                f"{source}: ids must be text, found {key!r} ({type(key).__name__}); "
                f"write '{key}', as '001' and 1 are different ids"
            )
        yield from _leaves(inner, (*path, str(key)), source)
