"""Wilkinson's formulas, such as ``~ topic/formulation + system``, and ready models.

A formula stands for a set of terms, and a term for a set of factors; every operator
makes one set of terms from two. The intercept is the term without factors: it is in
every model, so it may be added, and is never printed.

References
----------
.. [1] G. N. Wilkinson and C. E. Rogers. Symbolic description of factorial models for
   analysis of variance. Applied Statistics 22(3), 1973.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from mohs.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

Term = tuple[str, ...]
# Terms as first entered, each under the set of its factors.
_Terms = dict[frozenset[str], Term]

MODELS: Mapping[str, str] = {
    "c21-within": "~ topic/formulation + system + topic:system",
    "c21-across": "~ (topic/formulation)*(system + corpus)"
    " + system:corpus + topic:system:corpus",
    "z19-1": "~ system + topic + corpus + corpus:system + corpus:topic",
    "z19-2": "~ system + topic + ir_model + stemmer + qe + corpus"
    " + corpus:system + corpus:topic",
}

# All interactions of twelve factors; those of thirteen are twice as many.
_MOST_TERMS = 4096
# Far from where Python's stack ends, which no message could explain.
_DEEPEST = 100
# Characters of a long formula that a message shows before and after the place.
_AROUND = 30

_KNOWN = "use + - * / : ( ) and names, odd names in backticks"
_NO_INTERCEPT = "a model without intercept is not offered; remove it"
# Any character but a blank begins some alternative, so nothing is passed over.
_PIECE = re.compile(r"`(?P<odd>[^`]+)`|\*\*|[-+*/:()]|[^\s`*/:()+-]+|`")


@dataclass(frozen=True, slots=True)
class Formula:
    """The name of a response, if any, and the terms of a model by degree.

    Terms of one degree, and the factors of a term, stand as they were entered. It
    prints as a sum that reads the same.

    Examples
    --------
    >>> str(parse_formula("AP ~ topic/formulation + `odd name`"))
    'AP ~ topic + `odd name` + topic:formulation'
    """

    response: str | None
    terms: tuple[Term, ...]

    def __str__(self) -> str:
        spelled = (
            ":".join(name if _is_plain(name) else f"`{name}`" for name in term)
            for term in self.terms
        )
        return f"{self.response or ''} ~ {' + '.join(spelled)}".lstrip()


def name_of(term: Term) -> str:
    """Name a term as tables do.

    Examples
    --------
    >>> name_of(("topic", "system"))
    'topic:system'
    """
    return ":".join(term)


def parse_formula(text: str) -> Formula:
    """Read a formula; what stands left of the first ``~`` is kept as it is.

    Raises
    ------
    InputError
        With what was found, where, and what to write instead.

    Examples
    --------
    >>> parse_formula("~ (topic + system)/corpus").terms
    (('topic',), ('system',), ('topic', 'system', 'corpus'))
    >>> parse_formula("~ C(topic)")
    Traceback (most recent call last):
    mohs.errors.InputError: formula '~ C(topic)', character 3: ...
    """
    response, tilde, right = text.partition("~")
    if not tilde:
        raise _fault(text, 0, "there is no ~; write ~ topic + system")
    if not right.strip():
        raise _fault(text, len(text), "no factors follow; write ~ topic + system")
    reader = _Reader(text, len(response) + 1)
    terms = reader.expression()
    reader.close("end")
    terms.pop(frozenset(), None)
    if not terms:
        raise _fault(text, len(text), "no terms are left; add a factor that stays")
    return Formula(response.strip() or None, tuple(sorted(terms.values(), key=len)))


def model(name: str) -> Formula:
    """Return a ready model.

    Raises
    ------
    UnknownNameError
        If no model has this name.

    Examples
    --------
    >>> str(model("c21-within"))
    '~ topic + system + topic:formulation + topic:system'
    """
    if name not in MODELS:
        raise UnknownNameError("model", name, MODELS)
    return parse_formula(MODELS[name])


def _gather(terms: Iterable[Term]) -> _Terms:
    found: _Terms = {}
    for term in terms:
        found.setdefault(frozenset(term), tuple(dict.fromkeys(term)))
    return found


def _add(left: _Terms, right: _Terms) -> _Terms:
    return left | {key: right[key] for key in right if key not in left}


def _remove(left: _Terms, right: _Terms) -> _Terms:
    return {key: left[key] for key in left if key not in right}


def _interact(left: _Terms, right: _Terms) -> _Terms:
    return _gather((*a, *b) for a in left.values() for b in right.values())


def _cross(left: _Terms, right: _Terms) -> _Terms:
    return _add(_add(left, right), _interact(left, right))


def _nest(left: _Terms, right: _Terms) -> _Terms:
    within = _gather([tuple(chain.from_iterable(left.values()))])
    return _add(left, _interact(within, right))


# How tightly each operator binds, and what it makes; all associate to the left.
_OPERATORS: Mapping[str, tuple[int, Callable[[_Terms, _Terms], _Terms]]] = {
    "+": (1, _add),
    "-": (1, _remove),
    "*": (2, _cross),
    "/": (2, _nest),
    ":": (3, _interact),
}


class _Token(NamedTuple):
    """A sign, ``1``, a ``name`` or the ``end``, and its place in the text."""

    kind: str
    at: int
    name: str = ""


class _Reader:
    """Reads from left to right by precedence, one token ahead."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.tokens = _tokens(text, start)
        self.next = next(self.tokens)
        self.opened: list[int] = []
        self.written = 0

    def expression(self, level: int = 0) -> _Terms:
        """Read all that operators above a level bind."""
        # A sum may begin with a sign, which then adds to nothing or removes from it.
        leads = level == 0 and self.next.kind in {"+", "-"}
        left = {} if leads else self.operand()
        while _OPERATORS.get(self.next.kind, (0,))[0] > level:
            operator = self.take()
            right = self.expression(_OPERATORS[operator.kind][0])
            left = self.combine(operator, left, right)
        return left

    def operand(self) -> _Terms:
        kind, at, name = self.take()
        if kind == "(":
            return self.group(at)
        if kind == "1":
            return _gather([()])
        if kind != "name":
            found = "the end" if kind == "end" else kind
            raise self.fault(at, f"expected a factor, found {found}; {_KNOWN}")
        if self.next.kind == "(":
            problem = f"{name}(...) would be a function, and none is offered"
            raise self.fault(at, f"{problem}; name a column, or put + before the (")
        self.write(1, at)
        return _gather([(name,)])

    def group(self, at: int) -> _Terms:
        self.opened.append(at)
        if len(self.opened) > _DEEPEST:
            problem = f"too deeply nested, over {_DEEPEST} parentheses are open"
            raise self.fault(at, f"{problem}; leave out what you can")
        terms = self.expression()
        self.close(")")
        self.opened.pop()
        return terms

    def close(self, kind: str) -> None:
        """Take what ends a group or the formula, and nothing else."""
        found, at, _ = self.take()
        if found == kind:
            return
        if found == "end":
            raise self.fault(self.opened[-1], "this ( is never closed; add a )")
        if found == ")":
            raise self.fault(at, "this ) was never opened; remove it or add a (")
        raise self.fault(at, f"expected an operator before this; {_KNOWN}")

    def combine(self, operator: _Token, left: _Terms, right: _Terms) -> _Terms:
        sign, at, _ = operator
        if sign == "-" and frozenset() in right:
            raise self.fault(at, _NO_INTERCEPT)
        if sign in "*/:":
            if not left or not right:
                raise self.fault(at, f"no terms are left beside {sign}; add a factor")
            if frozenset() in left | right:
                raise self.fault(at, f"1 has no place beside {sign}; it can be added")
            self.write(len(right) * (1 if sign == "/" else len(left)), at)
        return _OPERATORS[sign][1](left, right)

    def write(self, count: int, at: int) -> None:
        """Count terms before time is spent on them."""
        self.written += count
        if self.written > _MOST_TERMS:
            problem = f"this makes more than {_MOST_TERMS:,} terms"
            raise self.fault(at, f"{problem}; use fewer factors or fewer * and :")

    def take(self) -> _Token:
        token = self.next
        self.next = next(self.tokens, token)
        return token

    def fault(self, at: int, problem: str) -> InputError:
        return _fault(self.text, at, problem)


def _tokens(text: str, start: int) -> Iterator[_Token]:
    for piece in _PIECE.finditer(text, start):
        at, found = piece.start(), piece[0]
        if piece["odd"]:
            yield _Token("name", at, piece["odd"])
        elif found in {"1", *"+-*/:()"}:
            yield _Token(found, at)
        elif _is_plain(found):
            yield _Token("name", at, found)
        else:
            raise _fault(text, *_strange(at, found))
    yield _Token("end", len(text))


def _strange(at: int, found: str) -> tuple[int, str]:
    """Say where and why a piece of text is neither a name nor an operator."""
    if found == "0":
        return at, _NO_INTERCEPT
    if found == "`":
        return at, "this backtick begins no name; put one on each side of a name"
    if found == "**":
        return at, f"** is no operator here; {_KNOWN}"
    for after, character in enumerate(found.replace(".", "0")):
        if not f"a{character}".isidentifier():
            use = "name random factors as in --random topic"
            remedy = use if character == "|" else _KNOWN
            return at + after, f"{character!r} is no operator here; {remedy}"
    return at, f"{found!r} begins with no letter; put such names in backticks"


def _is_plain(name: str) -> bool:
    # Letters of every script with their marks, which a pattern's \w leaves out.
    return name.replace(".", "0").isidentifier()


def _fault(text: str, at: int, problem: str) -> InputError:
    first = max(0, at - _AROUND)
    part = text[first : at + _AROUND]
    before, after = "..." * (first > 0), "..." * (at + _AROUND < len(text))
    shown = f"{before}{part}{after}"
    return InputError(f"formula {shown!r}, character {at + 1}: {problem}")
