"""Arithmetic that users write over the columns of a table, such as ``1 - difficulty``.

The text is parsed as a Python expression and walked; nothing is ever evaluated as code.
What is not plain arithmetic is refused by name.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mohs.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Long enough for any weight, too short to nest beyond the stack.
_LONGEST = 200

_BINARY: Mapping[type[ast.operator], Callable[[Floats, Floats], Floats]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.Pow: np.power,
}
_UNARY: Mapping[type[ast.unaryop], Callable[[Floats], Floats]] = {
    ast.UAdd: np.positive,
    ast.USub: np.negative,
}
FUNCTIONS: Mapping[str, tuple[int, Callable[..., Floats]]] = {
    "abs": (1, np.abs),
    "exp": (1, np.exp),
    "log": (1, np.log),
    "max": (2, np.maximum),
    "min": (2, np.minimum),
    "sqrt": (1, np.sqrt),
}
_REMEDY = f"use columns, numbers, + - * / ** ( ) and {', '.join(FUNCTIONS)}"


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula that was read; it prints as it was written.

    Examples
    --------
    >>> formula = read_formula("1 - difficulty")
    >>> formula({"difficulty": np.array([0.25, 1.0])}).tolist()
    [0.75, 0.0]
    """

    text: str
    tree: ast.expr

    def __call__(self, columns: Mapping[str, Floats], /) -> Floats:
        """Return the value of each row (T,); NaN where it has none.

        Raises
        ------
        UnknownNameError
            If the formula names a column that is not there.
        """
        rows = {len(each) for each in columns.values()}
        with np.errstate(all="ignore"):
            value = _value(self.tree, columns)
        whole: Floats = np.broadcast_to(value, (rows.pop() if rows else 1,))
        return np.where(np.isfinite(whole), whole, np.nan)

    def __str__(self) -> str:
        return self.text


def read_formula(text: str) -> Formula:
    """Read a formula, and refuse all that is not arithmetic.

    Raises
    ------
    InputError
        With what cannot be used.

    Examples
    --------
    >>> read_formula("__import__('os')")
    Traceback (most recent call last):
    mohs.errors.InputError: formula "__import__('os')": there is no function ...
    """
    if len(text) > _LONGEST:
        raise InputError(f"formula of {len(text)} characters; {_LONGEST} are allowed")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError):
        raise InputError(f"formula {text!r} is no arithmetic; {_REMEDY}") from None
    if problem := next(filter(None, map(_problem, ast.walk(tree))), None):
        raise InputError(f"formula {text!r}: {problem}; {_REMEDY}")
    return Formula(text, tree)


def _problem(node: ast.AST) -> str | None:
    """Say what is wrong with a part of a formula by itself, if anything."""
    match node:
        case ast.Constant(value=int() | float()) if type(node.value) is not bool:
            fine = True
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            return _problem_of_call(name, len(args))
        case ast.BinOp(op=op):
            fine = type(op) in _BINARY
        case ast.UnaryOp(op=sign):
            fine = type(sign) in _UNARY
        case _:
            fine = isinstance(node, ast.Name | ast.operator | ast.unaryop | ast.Load)
    return None if fine else f"{_written(node)} is no arithmetic"


def _problem_of_call(name: str, count: int) -> str | None:
    if name not in FUNCTIONS:
        return f"there is no function {name}"
    wanted, _ = FUNCTIONS[name]
    return None if count == wanted else f"{name} takes {wanted}, found {count}"


def _written(node: ast.AST) -> str:
    return ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__


def _value(node: ast.expr, columns: Mapping[str, Floats]) -> Floats:
    match node:
        case ast.Constant(value=int() | float() as value):
            return np.array(value, np.float64)
        case ast.Name(id=name):
            if name not in columns:
                raise UnknownNameError("column of numbers", name, columns)
            return columns[name]
        case ast.BinOp(left=left, op=op, right=right):
            return _BINARY[type(op)](_value(left, columns), _value(right, columns))
        case ast.UnaryOp(op=sign, operand=operand):
            return _UNARY[type(sign)](_value(operand, columns))
        case ast.Call(func=ast.Name(id=name), args=args):
            return FUNCTIONS[name][1](*(_value(each, columns) for each in args))
    raise AssertionError(f"{ast.dump(node)} was read as arithmetic")
