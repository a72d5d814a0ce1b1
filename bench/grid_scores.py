"""Scores of a grid of systems, made up, and the time of analysing them.

``python -m bench.grid_scores write NAME PATH`` writes a design as Parquet;
``python -m bench.grid_scores mohs|statsmodels NAME`` analyses it in memory and prints
the seconds of the best call and the peak memory as JSON. A process of its own, for the
memory's sake.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from dataclasses import dataclass
from resource import RUSAGE_SELF, getrusage
from typing import TYPE_CHECKING

from bench.children import megabytes

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

SLOW = 2.0  # seconds, from which on a call is not repeated


@dataclass(frozen=True, slots=True)
class Design:
    """Levels of topic, formulation, system and corpus, and the share of cells kept."""

    levels: tuple[int, int, int, int]
    kept: float
    formula: str

    def table(self) -> pl.DataFrame:
        """Make up a score for each cell: topics matter most, then their corpora."""
        import numpy as np
        import polars as pl

        random = np.random.default_rng(0)
        topic, formulation, system, corpus = (
            each.ravel() for each in np.indices(self.levels)
        )
        topics, formulations, systems, corpora = self.levels
        values = random.normal(size=topic.size)
        values += 2 * random.normal(size=topics)[topic]
        values += random.normal(size=(topics, formulations))[topic, formulation]
        values += 0.5 * random.normal(size=systems)[system]
        values += random.normal(size=(topics, corpora))[topic, corpus]
        keep = random.random(topic.size) < self.kept
        return pl.DataFrame(
            {
                "system": _labels("s", system[keep]),
                "topic": _labels("t", topic[keep]),
                "formulation": _labels("f", formulation[keep]),
                "corpus": _labels("c", corpus[keep]),
                "measure": ["AP"] * int(keep.sum()),
                "value": values[keep],
            }
        )


def _labels(letter: str, codes: object) -> list[str]:
    return [f"{letter}{code}" for code in codes.tolist()]  # type: ignore[attr-defined]


ACROSS = "(topic/formulation)*(system + corpus) + system:corpus + topic:system:corpus"
PAIRS = "topic*system + topic*corpus + system*corpus"

# The first is the design of Culpepper et al., TOIS 2021; the third is about the largest
# for which statsmodels, which lays the design matrix out, does not take minutes.
DESIGNS = {
    "c21": Design((25, 15, 144, 3), 1.0, ACROSS),
    "c21-gaps": Design((25, 15, 144, 3), 0.9, ACROSS),
    "pairs-gaps": Design((25, 1, 144, 3), 0.9, PAIRS),
    "pairs-gaps-small": Design((10, 1, 12, 3), 0.9, PAIRS),
}


def analyse_with_mohs(design: Design) -> Callable[[], object]:
    """Prepare scores in memory; the call is what is timed."""
    import mohs

    scores = mohs.read_scores(design.table())
    formula = f"~ {design.formula}"
    return lambda: mohs.anova(scores, formula, intervals="none")


def analyse_with_statsmodels(design: Design) -> Callable[[], object]:
    """Prepare a pandas frame; the call fits the model and makes the table."""
    import statsmodels.formula.api as smf
    from statsmodels.stats.anova import anova_lm

    frame = design.table().to_pandas()
    formula = f"value ~ {design.formula}"
    # It warns of a design matrix that is not of full rank.
    warnings.simplefilter("ignore")
    return lambda: anova_lm(smf.ols(formula, frame).fit(), typ=2)


PEERS = {"mohs": analyse_with_mohs, "statsmodels": analyse_with_statsmodels}


def main() -> None:
    """Write a design, or time a call."""
    what, name, *path = sys.argv[1:]
    design = DESIGNS[name]
    if what == "write":
        design.table().write_parquet(path[0])
        return
    call = PEERS[what](design)
    seconds: list[float] = []
    while len(seconds) < 5 and max(seconds, default=0) < SLOW:
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    cost = {"seconds": min(seconds), "megabytes": megabytes(getrusage(RUSAGE_SELF))}
    print(json.dumps(cost))


if __name__ == "__main__":
    main()
