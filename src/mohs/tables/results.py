"""Results know their tables, and show themselves as the first of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    import polars as pl

    from mohs.tables.columns import Table


class Result:
    """What every result can do: be looked at, and become a frame or a table in LaTeX.

    A result is a frozen dataclass that says ``repr=False`` (or its fields would be
    shown instead of its table) and defines :meth:`tables`.
    """

    __slots__ = ()

    def tables(self) -> Mapping[str, Table]:
        """Return the tables of the result by name, the main one first."""
        raise NotImplementedError

    @property
    def table(self) -> pl.DataFrame:
        """The main table as a Polars frame."""
        return self._main().to_polars()

    def to_pandas(self) -> pd.DataFrame:
        """Return the main table as a pandas frame."""
        return self._main().to_pandas()

    def to_latex(self, *, digits: int | None = None) -> str:
        """Return the main table in LaTeX, figures rounded if asked."""
        return self._main().to_latex(digits=digits)

    def _main(self) -> Table:
        return next(iter(self.tables().values()))

    def _repr_html_(self) -> str:
        return self._main()._repr_html_()

    def __repr__(self) -> str:
        return repr(self._main())
