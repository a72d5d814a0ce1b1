"""What an analysis rests on: the same model on other scales, and looks at residuals.

References
----------
.. [1] Smithson and Verkuilen, "A better lemon squeezer? Maximum-likelihood regression
   with beta-distributed dependent variables", Psychological Methods 11(1), 2006.
.. [2] Brown and Forsythe, "Robust tests for the equality of variances", JASA 69, 1974.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import special

from mohs.analysis.anova.decomposition import decompose, left_over
from mohs.analysis.anova.effects import partial_omega_squared, size_of
from mohs.analysis.anova.formula import name_of
from mohs.analysis.anova.uncertainty import TOPIC
from mohs.errors import InputError
from mohs.registry import Registry
from mohs.statistics.correlation import mean_ranks
from mohs.statistics.tails import f_tail
from mohs.tables import Factor, Table, stack

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from mohs.analysis.anova.decomposition import Decomposition
    from mohs.analysis.anova.design import Design
    from mohs.analysis.anova.margins import Type

    Floats = NDArray[np.float64]

SIGNIFICANT = 0.05
_PROBABILITIES = (0.001, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 0.999)

SCALES: Registry[Callable[[Design], Floats]] = Registry("scale")
# On these scales all topics have the same mean, so nothing is asked of them.
_WITHIN = ("ranks within topic", "standardised within topic")


@SCALES.add("as given")
def _as_given(design: Design) -> Floats:
    return design.values


@SCALES.add("logit")
def _logit(design: Design) -> Floats:
    """Spread a share over all numbers; 0 and 1 drawn in by half an observation [1]_."""
    values, count = design.values, len(design)
    if values.min() < 0 or values.max() > 1:
        raise InputError(
            f"logit is refused: values reach from {values.min():g} to {values.max():g},"
            " and only those from 0 to 1 are shares"
        )
    logits: Floats = special.logit((values * (count - 1) + 0.5) / count)
    return logits


@SCALES.add(_WITHIN[0])
def _ranks(design: Design) -> Floats:
    return _by_topic(design, mean_ranks)


@SCALES.add(_WITHIN[1])
def _standardised(design: Design) -> Floats:
    return _by_topic(design, _z)


def _z(values: Floats) -> Floats:
    spread = values.std()
    return (values - values.mean()) / spread if spread else np.zeros_like(values)


def _by_topic(design: Design, change: Callable[[Floats], Floats]) -> Floats:
    if TOPIC not in design.levels:
        raise InputError("nothing is scaled within topics: the formula has none")
    codes = design.codes[TOPIC]
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes))[:-1]
    changed = np.empty(len(design))
    changed[order] = np.concatenate(
        [change(values) for values in np.split(design.values[order], ends)]
    )
    return changed


@dataclass(frozen=True, slots=True, eq=False)
class Sensitivity:
    """The same model on every scale, and looks at what it leaves.

    ``scales`` has a row for each scale and term, ``checks`` one for each assumption,
    ``quantiles`` those of standardised residuals beside the normal ones; ``notes`` say
    which scale was refused, and what flips.
    """

    scales: Table
    checks: Table
    quantiles: Table
    notes: tuple[str, ...]

    def tables(self) -> Mapping[str, Table]:
        """Return the tables by name."""
        return {
            "sensitivity": self.scales,
            "checks": self.checks,
            "quantiles": self.quantiles,
        }


def examine(design: Design, parts: Decomposition, type_: Type) -> Sensitivity:
    """Try the model on other scales, and look at its residuals."""
    base = _Outcome.of(parts, set())
    tables, notes = [], []
    for name in SCALES.names():
        try:
            values = SCALES[name](design)
        except InputError as refusal:
            notes.append(str(refusal))
            continue
        found = decompose(design.with_values(values), parts.terms, type_)
        outcome = _Outcome.of(found, {TOPIC} if name in _WITHIN else set())
        flips = [outcome.flips(base, place) for place in range(len(parts.terms))]
        tables.append(outcome.table(name, parts, flips))
        notes += [
            f"on the scale {name}, {name_of(term)} changes its {what}"
            for term, what in zip(parts.terms, flips, strict=True)
            if what
        ]
    left = left_over(parts)
    return Sensitivity(
        stack(tables), _checks(design, left), _quantiles(left), tuple(notes)
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Outcome:
    """F, p and partial omega squared of K terms, (K,) each."""

    f: Floats
    p: Floats
    effect: Floats

    @classmethod
    def of(cls, parts: Decomposition, without: set[str]) -> _Outcome:
        """Test every term but those of factors without an effect by design."""
        left_out = [set(term) <= without for term in parts.terms]
        f = np.where(left_out, np.nan, parts.f)
        df = np.where(parts.aliased, np.nan, parts.df)
        return cls(
            f,
            f_tail(f, df, float(parts.residual_df))[0],
            partial_omega_squared(f, df, len(parts.design)),
        )

    def flips(self, base: _Outcome, place: int) -> str | None:
        """Say what of a term is not as it was."""
        if np.isnan(self.f[place]):
            return None
        ours, theirs = self._verdicts(place), base._verdicts(place)
        changed = [name for name, verdict in ours.items() if verdict != theirs[name]]
        return " and ".join(changed) or None

    def _verdicts(self, place: int) -> dict[str, object]:
        return {
            "significance": bool(self.p[place] < SIGNIFICANT),
            "size": size_of(self.effect[place]),
        }

    def table(
        self, scale: str, parts: Decomposition, flips: Sequence[str | None]
    ) -> Table:
        return Table(
            {
                "scale": Factor.constant(scale, len(self.f)),
                "term": Factor.of(map(name_of, parts.terms)),
                "df": parts.df,
                "f": self.f,
                "p": self.p,
                "omega2_partial": self.effect,
                "size": Factor.of(map(size_of, self.effect.tolist())),
                "flips": Factor.of(flips),
            }
        )


def _checks(design: Design, left: Floats) -> Table:
    z = left / left.std() if left.std() else left
    described = {
        "share of zeros": float((design.values == 0).mean()),
        "skewness of residuals": float((z**3).mean()),
        "excess kurtosis of residuals": float((z**4).mean()) - 3,
    }
    rows = [(name, each, np.nan, np.nan, np.nan) for name, each in described.items()]
    for name in design.levels:
        df = design.size(name) - 1, len(left) - design.size(name)
        f = _levene(left, design.codes[name]) if df[1] > 0 else np.nan
        p = float(f_tail(f, df[0], df[1])[0])
        rows.append((f"equal spread over {name} (Levene)", f, *df, p))
    check, *figures = zip(*rows, strict=True)
    names = ("statistic", "df", "df_error", "p")
    columns = dict(zip(names, (np.array(each, float) for each in figures), strict=True))
    return Table({"check": tuple(check), **columns})


def _levene(left: Floats, codes: NDArray[np.int64]) -> float:
    """Return F of the distances from the median of each level [2]_."""
    order = np.lexsort((left, codes))
    counts = np.bincount(codes)
    starts = np.cumsum(counts) - counts
    low, high = starts + (counts - 1) // 2, starts + counts // 2
    medians = (left[order][low] + left[order][high]) / 2
    distances = np.abs(left - medians[codes])
    means = np.bincount(codes, distances) / counts
    inside = float(((distances - means[codes]) ** 2).sum())
    between = float(counts @ (means - distances.mean()) ** 2)
    if not inside:
        return np.nan
    return between / (len(counts) - 1) / (inside / (len(left) - len(counts)))


def _quantiles(left: Floats) -> Table:
    z = left / left.std() if left.std() else left
    probabilities = np.array(_PROBABILITIES)
    return Table(
        {
            "probability": probabilities,
            "residual": np.quantile(z, probabilities),
            "normal": special.ndtri(probabilities),
        }
    )
