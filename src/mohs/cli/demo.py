"""``mohs demo``: take a generated collection the whole road."""

from __future__ import annotations

import shlex
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

from mohs.cli.options import nonempty
from mohs.cli.output import tell

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from mohs.analysis.anova import Anova
    from mohs.analysis.difficulty import Difficulty
    from mohs.analysis.formulations import Formulations
    from mohs.measures.evaluation import Evaluation
    from mohs.retrieval.grid import Grid
    from mohs.samples import Sample
    from mohs.scores import Cube
    from mohs.tables import Table

SUMMARY = "take a generated collection the whole road"

EPILOG = """\
The folder receives what mohs sample writes; scores.csv, the score of every system on
every topic; difficulty.csv and difficulty.html, how hard each topic is, as a table and
as a picture; grid.csv, what 24 ways to search its documents found by all wordings of
the topics, with anova.csv and formulations.csv, what topics, wordings and systems
contribute; and report.html, all on one page. The same seed always gives the same files.

example:
  mohs demo -o mohs-demo/
"""

FOLDER = "mohs-demo/"
SCORES, RATED, PICTURE = "scores.csv", "difficulty.csv", "difficulty.html"
GRID, EXPLAINED, ORDERED = "grid.csv", "anova.csv", "formulations.csv"
PAGE = "report.html"
COMMAND = "mohs report qrels.txt runs/ --topics topics.tsv --truth truth.csv"

# Filled to the width of a page once the figures are in.
STORY = """\
These are the means of {systems} systems over {topics} topics. When they were generated,
each topic was given a difficulty (1 = easiest, 0 = hardest) and each system a quality
(1 = best). The orders by mean AP agree with what was planted by a tau_b of
{by_topic:.2f} for the topics and {by_system:.2f} for the systems (1 = the same order,
0 = unrelated). By mean AP, the hardest topic is {hard}, planted at {at_hard:.2f}, and
the easiest is {easy}, planted at {at_easy:.2f}. The share of systems that beat a random
re-ranker agrees with what was planted by {by_share:.2f}; {beyond} of the topics lie
outside the band in which 95% of shares fall by chance alone.
"""

SEARCHED = """\
The documents were searched, too, by {systems} systems of Mohs' own engine and with
{wordings} wordings of every topic. Mean AP over all of them agrees with the planted
difficulty by a tau_b of {by_topic:.2f}. The effect of topics, as partial omega squared,
is {topic}, that of the wordings of a topic {wording}, and that of systems {system}. Can
wordings be picked so that topics come in any order? {reading}.
"""

NEXT = """\
Look at {picture} in a browser: how hard each topic is, and how
sure that is. {folder} also holds judgments (qrels.txt), runs (runs/),
topics in several wordings (topics.tsv), documents (documents.jsonl), what was planted
(truth.csv, wordings.csv, systems.csv), the score of every system on every topic
(scores.csv), the difficulties (difficulty.csv), and what the searches found (grid.csv,
anova.csv, formulations.csv). Next:
  mohs check {qrels} {runs}
  mohs overview {scores}
  mohs evaluate {qrels} {runs} -m AP -q
  mohs difficulty {qrels} {runs} --strategy all
  mohs anova {grid} "~ topic/formulation + stemmer*model*expansion" --tukey model

All of it is on one page, the planted difficulty beside the measured one:
  {page}"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the command's options."""
    parser.epilog = EPILOG
    parser.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        type=nonempty,
        default=FOLDER,
        help=f"a new or empty folder, or one that mohs demo wrote (default {FOLDER})",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="write into a folder with other files in it; they stay",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="of all draws (default 0)"
    )


def run(args: argparse.Namespace) -> int:
    """Generate, evaluate, write, and say what is to be seen."""
    from mohs.tables.text import aligned

    target = Path(args.output)
    made = _make(target, seed=args.seed, force=args.force)
    planted, measured, rated, searched = made
    cubes = {name: _cube(measured, name) for name in measured.scores.measures}
    story = _story(planted, cubes["AP"], rated)
    parts = aligned(_means(cubes)), story, _of_search(planted, *searched), _next(target)
    print("\n\n".join(parts), flush=True)
    tell(measured.notes)
    return 0


def _make(
    target: Path, *, seed: int, force: bool
) -> tuple[Sample, Evaluation, Difficulty, tuple[Grid, Anova, Formulations]]:
    """Fill the folder, all at once or not at all."""
    from mohs.analysis.difficulty import difficulty
    from mohs.charts import save
    from mohs.measures.evaluation import evaluate
    from mohs.reporting import report
    from mohs.samples import sample
    from mohs.samples.folder import MARKER, made_whole
    from mohs.samples.writing import TOPICS, TRUTH
    from mohs.tables import form_of

    with made_whole(target, about={"demo": {"seed": seed}}, force=force) as folder:
        planted = sample(folder, seed=seed)
        # The folder as a whole is the demo's, not the sample's.
        (folder / MARKER).unlink()
        measured = evaluate(planted.qrels, folder / "runs")
        scores = measured.tables()["scores"]
        (folder / SCORES).write_bytes(form_of(SCORES)(scores))
        rated = difficulty(planted.qrels, folder / "runs", topics=folder / TOPICS)
        (folder / RATED).write_bytes(form_of(RATED)(rated.tables()["difficulty"]))
        save(rated, folder / PICTURE)
        searched = _search(planted, folder, seed)
        page = report(
            planted.qrels,
            folder / "runs",
            topics=folder / TOPICS,
            truth=folder / TRUTH,
            title="A collection of known difficulty",
            command=COMMAND,
        )
        page.save(folder / PAGE)
    return planted, measured, rated, searched


def _search(
    planted: Sample, folder: Path, seed: int
) -> tuple[Grid, Anova, Formulations]:
    """Search the documents by many systems, and ask what their scores are made of."""
    from mohs.analysis.anova import anova
    from mohs.analysis.formulations import formulations
    from mohs.retrieval.grid import grid
    from mohs.samples.writing import DOCUMENTS, TOPICS
    from mohs.tables import form_of

    found = grid(
        folder / DOCUMENTS,
        folder / TOPICS,
        qrels=planted.qrels,
        measures="AP",
        stoplists="none",  # There are others, of packages that may be missing.
        stemmers="none,porter",
        models="BM25,DPH,DirichletLM,InL2,LGD,PL2",
        expansions="none,Bo1",
    )
    explained = anova(found.scores, model="c21-within", seed=seed)
    ordered = formulations(found.scores, permutations=2000, seed=seed)
    for name, result in ((GRID, found), (EXPLAINED, explained), (ORDERED, ordered)):
        table = next(iter(result.tables().values()))
        (folder / name).write_bytes(form_of(name)(table))
    return found, explained, ordered


def _cube(measured: Evaluation, measure: str) -> Cube:
    from mohs.scores import to_cube

    return to_cube(measured.scores.of_measure(measure)).require_complete()


def _means(cubes: Mapping[str, Cube]) -> Table:
    """Average over topics, a row for each system, the best by AP first."""
    import numpy as np

    from mohs.tables import Table

    means = {name: cube.values.mean(axis=1) for name, cube in cubes.items()}
    order = np.argsort(-means["AP"], kind="stable")
    systems = [cubes["AP"].axes["system"][place] for place in order.tolist()]
    ordered = {name: values[order] for name, values in means.items()}
    return Table({"system": tuple(systems), **ordered})


def _story(planted: Sample, cube: Cube, rated: Difficulty) -> str:
    """Compare what was measured with what was planted."""
    import numpy as np

    from mohs.statistics.correlation import tau_b

    systems, topics = cube.axes["system"], cube.axes["topic"]
    difficulty = dict(zip(planted.topics, planted.difficulty, strict=True))
    quality = dict(zip(planted.systems, planted.quality, strict=True))
    of_topics, of_systems = cube.values.mean(axis=0), cube.values.mean(axis=1)
    hard, easy = topics[of_topics.argmin()], topics[of_topics.argmax()]
    rows = [row for row in rated.parts[0].solution.rows if not row.reason]
    text = STORY.format(
        systems=len(systems),
        topics=len(topics),
        by_topic=tau_b(np.array([difficulty[each] for each in topics]), of_topics),
        by_system=tau_b(np.array([quality[each] for each in systems]), of_systems),
        hard=hard,
        at_hard=difficulty[hard],
        easy=easy,
        at_easy=difficulty[easy],
        by_share=tau_b(
            np.array([difficulty[row.topic] for row in rows]),
            np.array([row.difficulty for row in rows]),
        ),
        beyond=sum(
            not row.chance_low <= row.difficulty <= row.chance_high for row in rows
        ),
    )
    return textwrap.fill(text, 80, break_on_hyphens=False)


def _of_search(
    planted: Sample, found: Grid, explained: Anova, ordered: Formulations
) -> str:
    """Say what the searches recovered, and what their scores owe to what."""
    import numpy as np

    from mohs.statistics.correlation import tau_b

    topics = found.scores.factors["topic"]
    counts = np.bincount(topics.codes)
    means = np.bincount(topics.codes, found.scores.values) / counts
    difficulty = dict(zip(planted.topics, planted.difficulty, strict=True))
    table = explained.tables()["anova"].columns
    names = ("term", *(f"omega2_partial{end}" for end in ("", "_low", "_high")))
    rows = zip(*(table[name] for name in names), strict=True)
    effects = {term: _effect(*numbers) for term, *numbers in rows}
    text = SEARCHED.format(
        systems=len(found.systems),
        wordings=len(found.scores.factors["formulation"].levels),
        by_topic=tau_b(np.array([difficulty[t] for t in topics.levels]), means),
        topic=effects["topic"],
        wording=effects["topic:formulation"],
        system=effects["system"],
        reading=ordered.reading[0].upper() + ordered.reading[1:],
    )
    return textwrap.fill(text, 80, break_on_hyphens=False)


def _effect(size: float, low: float, high: float) -> str:
    """Write a number with its interval, if there is one."""
    known = low == low  # noqa: PLR0124 (not a number where there is none)
    return f"{size:.2f} ({low:.2f} to {high:.2f})" if known else f"{size:.2f}"


def _next(target: Path) -> str:
    named = {"qrels": "qrels.txt", "runs": "runs", "scores": SCORES}
    named |= {"picture": PICTURE, "page": PAGE, "grid": GRID}
    paths = {name: shlex.quote(str(target / file)) for name, file in named.items()}
    return NEXT.format(folder=target, **paths)
