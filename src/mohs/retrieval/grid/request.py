"""The public face: documents and topics in, scores of many systems out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from mohs.errors import InputError, UnknownNameError
from mohs.files import make_folder
from mohs.gains.scales import any_gain_of
from mohs.measures import bridge
from mohs.measures.caveats import shown
from mohs.measures.evaluation import MEASURES, Request
from mohs.measures.layout import Part
from mohs.rankings import Reading, read_qrels
from mohs.registry import check_choice
from mohs.retrieval.expansion import EXPANSIONS
from mohs.retrieval.grid import by_terrier
from mohs.retrieval.grid.addresses import fetched, is_address, plain, store_at
from mohs.retrieval.grid.execution import carry_out
from mohs.retrieval.grid.indexing import tokeniser
from mohs.retrieval.grid.job import Collection, Job, Judging
from mohs.retrieval.grid.plan import plan
from mohs.retrieval.grid.presets import PRESETS
from mohs.retrieval.grid.result import Grid
from mohs.retrieval.grid.scoring import query_id
from mohs.retrieval.grid.spec import NONE, TOKENISER, Components
from mohs.retrieval.grid.writing import check_ids
from mohs.retrieval.models import MODELS
from mohs.retrieval.spelling import parse_list
from mohs.retrieval.stemmers import STEMMERS
from mohs.retrieval.stoplists import stop_words
from mohs.tables import natural_key
from mohs.trec.numbers import whole
from mohs.trec.topics import read_topics, topics_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mohs.files import Source
    from mohs.retrieval.grid.cells import Cell
    from mohs.retrieval.grid.spec import System
    from mohs.retrieval.spelling import Component
    from mohs.trec.topics import Topic

    Names = Sequence[str | os.PathLike[str]] | str | os.PathLike[str]

Engine: TypeAlias = Literal["mohs", "terrier"]


def grid(  # noqa: PLR0913 (the public face of one request)
    documents: Any,  # noqa: ANN401
    topics: Any,  # noqa: ANN401
    *,
    qrels: Any = None,  # noqa: ANN401
    measures: Any = MEASURES,  # noqa: ANN401 (names, or what prints as such)
    tokenisers: Names | None = None,
    stoplists: Names | None = None,
    stemmers: Names | None = None,
    models: Names | None = None,
    expansions: Names | None = None,
    preset: str | None = None,
    depth: int = 1000,
    runs: str | os.PathLike[str] | None = None,
    store: str | os.PathLike[str] | None = None,
    engine: Engine = "mohs",
    workers: int | None = None,
    dask: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Grid:
    """Search collections by many systems, and score what each of them finds.

    Every stop list is combined with every stemmer, model and expansion.

    Parameters
    ----------
    documents
        A collection: JSON lines, TREC documents, TSV, Parquet, or the id of a data set;
        or several, as a mapping from their names.
    topics
        A file of topics, perhaps in several formulations; or queries by topic, or by
        topic and formulation; or a data frame of them.
    qrels
        Judgments. Without them nothing is scored, and ``runs`` is needed.
    measures
        What to score by.
    tokenisers, stoplists, stemmers, models, expansions
        Components, by name and perhaps with parameters: ``BM25(b=0.4,k1=0.9)``.
    preset
        The components of a paper, ``c21`` or ``z19``; those that are given replace its
        own.
    depth
        How many documents each ranking has.
    runs
        A folder for run files.
    store
        A folder for finished cells, where a later call finds them.
    engine
        What searches: ``mohs``, or ``terrier``, which needs Java.
    workers
        How many tasks run side by side; the result is the same.
    dask
        The address of a Dask cluster that does the work instead.
    progress
        Told how many cells are done, and of how many, after each.

    Returns
    -------
    Grid
        ``.table`` has one row for a system, a topic and a measure.

    Raises
    ------
    InputError
        If a file cannot be used, or a component has no such name or parameter.
    """
    check_choice("engine", engine, Engine)
    if qrels is None and runs is None:
        raise InputError(
            "nothing would be left of the rankings: give judgments to score them by"
            " (--qrels), or a folder for the runs (--runs)"
        )
    if dask is not None and engine != "mohs":
        raise InputError("--dask does not go with --engine: Terrier works here only")
    systems = _components(
        preset,
        tokenisers=tokenisers,
        stoplists=stoplists,
        stemmers=stemmers,
        models=models,
        expansions=expansions,
    ).systems()
    asked, judging, read = _inputs(topics, qrels, measures)
    job = Job(
        collections=_collections(documents),
        topics=asked,
        depth=whole(depth, "depth"),
        engine=engine,
        judging=judging,
        runs=None if runs is None else Path(runs),
        store=None if store is None else store_at(os.fspath(store)),
        stopped={
            name: stop_words(name)
            for name in {system.analysis.stoplist.name for system in systems}
        },
        read=read,
    )
    tasks = plan(list(job.collections), systems)
    notes = _of_ones_own(job, systems, dask)
    if job.runs is not None:
        check_ids(job.topics)
        for corpus in job.collections:
            make_folder(job.runs / corpus)
    if job.store is not None:
        job.store.check()
    if engine == "terrier":
        cells = by_terrier.carry_out(job, tasks)
    else:
        threads = os.cpu_count() or 1 if workers is None else whole(workers, "workers")
        cells = carry_out(job, tasks, workers=threads, cluster=dask)
    made: dict[tuple[str, System], Cell] = {}
    for task, system, cell in cells:
        made[task.corpus, system] = cell
        if progress is not None:
            progress(len(made), len(job.collections) * len(systems))
    return _result(job, systems, made, notes)


def _of_ones_own(job: Job, systems: Sequence[System], dask: str | None) -> list[str]:
    """Say what is not kept since a user's own code made it."""
    own = list(dict.fromkeys(part for system in systems for part in job.own(system)))
    if dask is not None and own:
        raise InputError(
            "--dask hands on what is in the store, where nothing is kept that a part of"
            f" your own made: {', '.join(own)}"
        )
    if job.store is None:
        return []
    problem = (
        "cells are not kept in the store, since they are made by a part of your own"
    )
    return [f"{problem}, whose code may change: {part}" for part in own]


_DEFAULTS = Components(
    tokenisers=(TOKENISER,),
    stoplists=parse_list("smart"),
    stemmers=parse_list("porter"),
    models=parse_list("BM25"),
    expansions=(NONE,),
)

# What knows a component, and refuses one that is not there or cannot be so.
_CHECKS: Mapping[str, Callable[[Component], object]] = {
    "tokenisers": tokeniser,
    "stoplists": lambda each: stop_words(_bare(each)),
    "stemmers": lambda each: STEMMERS[_bare(each)],
    "models": lambda each: MODELS[each.name].settle(dict(each.parameters)),
    "expansions": lambda each: each == NONE or _settled_expansion(each),
}


def _settled_expansion(component: Component) -> Mapping[str, float]:
    if component.name not in EXPANSIONS.names():
        known = (NONE.name, *EXPANSIONS.names())
        raise UnknownNameError("expansion", component.name, known)
    return EXPANSIONS[component.name].settle(dict(component.parameters))


def _bare(component: Component) -> str:
    """Return the name of what takes no parameters."""
    if component.parameters:
        raise InputError(f"{component}: {component.name} has no parameters")
    return component.name


def _components(preset: str | None, **given: Names | None) -> Components:
    """Read and check all components, those of a preset where none are given."""
    base = _DEFAULTS if preset is None else PRESETS[preset]
    changed = {kind: parse_list(n) for kind, n in given.items() if n is not None}
    if bare := [kind for kind, components in changed.items() if not components]:
        raise InputError(f"there are no {bare[0]}; name one, or leave them out")
    components = replace(base, **changed)
    for kind, check in _CHECKS.items():
        for component in getattr(components, kind):
            check(component)
    names = Counter(system.name for system in components.systems())
    if twice := [name for name, count in names.items() if count > 1]:
        raise InputError(
            f"several systems would be called {twice[0]!r}: give stop lists in files of"
            " different names"
        )
    return components


def _collections(documents: Any) -> Mapping[str, Collection]:  # noqa: ANN401
    named = documents if isinstance(documents, Mapping) else {"": documents}
    if not named:
        raise InputError("there is no collection of documents; name one")
    if odd := [name for name in named if not _is_folder(name, among=len(named))]:
        raise InputError(
            f"a collection cannot be called {odd[0]!r}: runs are put in"
            " folders of that name"
        )
    return {name: Collection.of(source) for name, source in named.items()}


def _is_folder(name: object, *, among: int) -> bool:
    """Tell whether a collection's name can be that of a folder; a single one has none.

    Examples
    --------
    >>> [_is_folder(name, among=2) for name in ("news", "", "..", "a/b", 1)]
    [True, False, False, False, False]
    """
    if not isinstance(name, str):
        return False
    plain = PurePath(name).name == name and name != ".." and name.isprintable()
    return plain and (name != "" or among == 1)


def _inputs(
    topics: Any,  # noqa: ANN401
    qrels: Any,  # noqa: ANN401
    measures: Any,  # noqa: ANN401
) -> tuple[tuple[Topic, ...], Judging | None, Mapping[str, Source | None]]:
    """Read topics and judgments, and say which files those were."""
    with _at_hand(topics) as (path, read):
        asked = _topics(path)
    if qrels is None:
        return asked, None, read
    with _at_hand(qrels) as (found, more):
        return asked, _judging(found, measures), {**read, **more}


@contextmanager
def _at_hand(place: Any) -> Iterator[tuple[Any, Mapping[str, Source | None]]]:  # noqa: ANN401
    """Give what can be read here, and what is known of files that are read."""
    if not isinstance(place, str | os.PathLike):
        yield place, {}
        return
    path = plain(os.fspath(place))
    if is_address(path):
        with fetched([path]) as ([copy], [source]):
            yield copy, {path: source}
    else:
        yield path, {path: None} if Path(path).is_file() else {}


def _topics(source: Any) -> tuple[Topic, ...]:  # noqa: ANN401
    named = isinstance(source, str | os.PathLike)
    topics = read_topics(source) if named else topics_of(source)
    if not topics:
        raise InputError("there are no topics; give each an id and a query")
    if mute := [query_id(topic) for topic in topics if not topic.query.strip()]:
        where = source if named else "topics"
        raise InputError(f"{where}: there is no query in {shown(mute)}; write them")
    return topics


def _judging(qrels: Any, measures: Any) -> Judging:  # noqa: ANN401
    reading = Reading()
    request = Request.asked(
        measures=measures,
        level=1,
        gain=any_gain_of("linear", "zero"),
        judged_only=False,
        complete=True,
        reading=reading,
    )
    for measure in request.measures:
        if bridge.is_foreign(measure):
            raise InputError(
                f"{measure} is computed by ir_measures, which needs files: write them"
                " with --runs, and score them with mohs evaluate"
            )
    return Judging.of(request, read_qrels(qrels, reading=reading))


def _result(
    job: Job,
    systems: Sequence[System],
    cells: Mapping[tuple[str, System], Cell],
    notes: Sequence[str],
) -> Grid:
    """Put cells together, systems and topics in natural order of their names."""
    systems = sorted(systems, key=lambda system: natural_key(system.name))
    names = tuple(system.name for system in systems)
    asked = job.asked()
    order = sorted(range(len(asked)), key=lambda i: natural_key(query_id(asked[i])))
    topics, parts = [], []
    for corpus in job.collections:
        found = [cells[corpus, system] for system in systems]
        kept = [i for i in order if found[0].counted[i]]
        values = np.stack([cell.values[:, kept] for cell in found], axis=1)
        retrieved = np.stack([cell.retrieved[kept] for cell in found])
        topics.append(tuple(asked[i] for i in kept))
        queries = tuple(query_id(topic) for topic in topics[-1])
        parts.append(Part(corpus or None, names, queries, values, retrieved))
    if not any(topics):
        raise InputError(
            "no collection holds a document that is relevant to a topic; name the"
            " judgments that belong to the documents"
        )
    judged = sum(cells[corpus, systems[0]].judged for corpus in job.collections)
    return Grid(
        job.judging.request if job.judging else None,
        tuple(systems),
        tuple(topics),
        tuple(parts),
        (*job.notes(judged), *notes, *_mute(parts)),
        job.files(),
    )


def _mute(parts: Sequence[Part]) -> Iterator[str]:
    """Yield a sentence about queries that found nothing in a collection."""
    for part in parts:
        bare = (part.retrieved == 0).any(axis=0)
        if names := [
            name for name, none in zip(part.topics, bare, strict=True) if none
        ]:
            where = "" if part.corpus is None else f" in {part.corpus}"
            yield f"some systems find nothing{where} for {shown(names)}"
