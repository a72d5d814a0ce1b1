"""The Rust core: text in, arrays out."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

__version__: str

Fault: TypeAlias = tuple[int, str, str]
Rows: TypeAlias = tuple[
    list[str], list[str], NDArray[np.float64], NDArray[np.int32] | None
]
Source: TypeAlias = str | PathLike[str] | bytes | Rows
Rule: TypeAlias = str | list[str] | tuple[int, int, int]

@final
class Account:
    faults: list[Fault]
    fault_count: int
    lines: int
    records: int
    comments: str
    tags: list[str]
    known: int
    strangers: list[str]
    dropped: int
    marked: bool

@final
class Judgments:
    topics: list[str]
    offsets: NDArray[np.int64]
    grades: NDArray[np.float64]
    def document(self, judgment: int) -> str: ...

@final
class Stop:
    def set(self) -> None: ...

def read(
    source: str | PathLike[str] | bytes, max_bytes: int
) -> tuple[bytes | None, Fault | None]: ...

@final
class Pieces:
    def __new__(cls, source: str | PathLike[str] | bytes, max_bytes: int) -> Pieces: ...
    def take(self) -> tuple[bytes | None, Fault | None]: ...

def read_judgments(
    source: Source,
    *,
    duplicates: str,
    max_bytes: int,
    corpus: Rule | None = None,
) -> tuple[Judgments, Account]: ...
def read_runs(
    judgments: Judgments,
    sources: Sequence[Source],
    *,
    ties: str,
    single: bool,
    duplicates: str,
    floor: float,
    top: int,
    threads: int,
    max_bytes: int,
    corpus: Rule | None = None,
    lender: Callable[[str], str | None] | None = None,
    kept: list[bool] | None = None,
    stop: Stop | None = None,
) -> tuple[dict[str, Any], list[Account]]: ...

Contest: TypeAlias = tuple[
    tuple[int, int],
    NDArray[np.float64],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
    int | None,
]

def permute(
    topics: Sequence[Contest],
    permutations: int,
    *,
    threads: int,
    stop: Stop | None = None,
) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]: ...

Counted: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]
Summed: TypeAlias = tuple[
    NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int64]
]

def invert(
    counts: Counted, terms: NDArray[np.int32], size: int
) -> tuple[Summed, Summed]: ...

Weighted: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]

def search(
    postings: Weighted,
    places: NDArray[np.int32],
    queries: Weighted,
    *,
    depth: int,
    threads: int,
) -> Weighted: ...

Cells: TypeAlias = tuple[
    list[int], NDArray[np.int16], NDArray[np.float64], NDArray[np.float64]
]

def arrange(
    cells: Cells,
    orders: NDArray[np.uint32],
    rule: str,
    *,
    threads: int,
    stop: Stop | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]: ...
def picks(
    cells: Cells, order: NDArray[np.uint32], rule: str
) -> tuple[list[int], int]: ...
def tokenise(rule: tuple[str, int], text: str) -> list[str]: ...
def count_tokens(
    rule: tuple[str, int], texts: Sequence[str]
) -> tuple[list[str], NDArray[np.int64], NDArray[np.int32], NDArray[np.int32]]: ...
def porter_stems(words: Sequence[str], weak: bool) -> list[str]: ...
