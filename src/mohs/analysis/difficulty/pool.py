"""Pools and contests: one topic's documents, and where each system put them.

All that is said about a topic follows from three values, each made from the one before
and from nothing else, so that a topic's figures are the same to the last bit whichever
other topics there are:

* a `Listing`: which documents each system listed, and their grades;
* a `Pool`: the documents that a random re-ranker shuffles, and what they are worth;
* a `Contest`: for every system and rank, the place of the document in the pool.

A `Problem` is all topics of one request. It can be posed again for fewer systems, with
the pools formed anew or held fixed.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from mohs.errors import InputError
from mohs.gains.discounts import DISCOUNTS, Discount, weights
from mohs.gains.grades import Gain, Linear
from mohs.registry import check_choice
from mohs.tables import natural_key
from mohs.trec.numbers import whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mohs.rankings import Rankings

    Floats = NDArray[np.float64]
    Places = NDArray[np.int32]
    Codes = NDArray[np.int64]

PoolKind = Literal["runs", "judged"]
Unjudged = Literal["nonrelevant", "neutral", "condense"]

PAD = -1  # no member of the pool: gain 0
ABSENT = -2  # counts for nothing: standardised gain 0

END = -1  # in a listing: the system listed no more

RELEVANT = 1  # the lowest grade of a relevant document, where they are counted


@dataclass(frozen=True, slots=True)
class Rules:
    """How pools are formed, and what their documents are worth.

    ``depth`` is how much of each ranking goes into the pool, ``cutoff`` how much of it
    is scored (the depth unless given). ``pool`` is the union of the runs' tops or all
    judged documents. Unjudged documents are ``nonrelevant`` (gain 0), ``neutral`` (in
    no mean and no ideal) or dropped before the cut (``condense``). Without ``pad`` a
    short run stays short; otherwise it is filled up with gain 0.
    """

    depth: int = 20
    cutoff: int | None = None
    pool: PoolKind = "runs"
    unjudged: Unjudged = "nonrelevant"
    pad: bool = True
    gain: Gain = field(default_factory=Linear)
    discount: Discount = DISCOUNTS["log2"]

    def __post_init__(self) -> None:
        check_choice("pool", self.pool, PoolKind)
        check_choice("unjudged", self.unjudged, Unjudged)
        whole(self.depth, "depth")
        whole(self.scored, "cutoff")
        if not 1 <= self.scored <= self.depth:
            raise InputError(
                f"--cutoff {self.scored} is not between 1 and --depth {self.depth}: "
                "documents below the depth are in no pool; raise --depth"
            )

    @property
    def scored(self) -> int:
        """The cut-off k."""
        return self.depth if self.cutoff is None else self.cutoff


@dataclass(frozen=True, slots=True, eq=False)
class Listing:
    """What the n systems that retrieved anything listed for one topic.

    ``documents`` (u,) are in order of their ids, the judged ones first; ``grades`` (u,)
    are NaN where nobody judged. ``systems`` (n,) index the systems of the request;
    ``lists`` (n, l) index documents, `END` where a system has no more; l is the length
    of the longest, at most the depth. ``judged`` and ``relevant`` count the topic's
    judgments, listed or not.
    """

    topic: str
    documents: tuple[str, ...]
    grades: Floats
    systems: Places
    lists: Places
    judged: int
    relevant: int


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The m documents that a random re-ranker of one topic shuffles.

    ``members`` (m,) are their places in the listing; ``documents`` (m,), ``grades``
    (m,; NaN where unjudged), ``judged`` (m,) and ``gains`` (m,) describe them. ``mean``
    and ``sd`` (of the population) are those of the gains. ``reason`` says why the topic
    has no difficulty, if it has none.
    """

    topic: str
    members: Places
    documents: tuple[str, ...]
    grades: Floats
    judged: NDArray[np.bool_]
    gains: Floats
    mean: float
    sd: float
    reason: str | None = None

    def __len__(self) -> int:
        return len(self.gains)


@dataclass(frozen=True, slots=True, eq=False)
class Contest:
    """Where n systems put the documents of one pool, k' = min(cut-off, m) ranks deep.

    ``systems`` (n,) index the systems of the request. ``places`` (n, k') index the
    pool; `PAD` is a rank without a member of the pool, worth gain 0, and `ABSENT` one
    that counts for nothing. ``weights`` (k',) are 1/λ of the ranks.
    """

    systems: Places
    places: Places
    weights: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """All topics of one request (and of one sub-corpus).

    ``systems`` (S,) and ``topics`` (T,) are in natural order; listings, pools and
    contests belong to the topics. ``rankings`` is what they were made from: there,
    system i is row ``rows[i]`` and topic j column ``columns[j]``.
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    listings: tuple[Listing, ...]
    pools: tuple[Pool, ...]
    contests: tuple[Contest, ...]
    rules: Rules
    rankings: Rankings
    rows: Codes
    columns: Codes

    def of_systems(
        self, kept: Sequence[int], *, pool: Literal["formed", "fixed"] = "formed"
    ) -> Problem:
        """Pose the problem to some of the systems only.

        Parameters
        ----------
        kept
            Their indices, in ascending order.
        pool
            Whether pools are formed anew of what these systems listed, or stay.
        """
        listings = [_of_systems(listing, kept) for listing in self.listings]
        names = tuple(self.systems[i] for i in kept)
        fixed = self.pools if pool == "fixed" else None
        return pose(replace(self, systems=names, rows=self.rows[kept]), listings, fixed)

    def without_systems(
        self, left: Sequence[int], *, pool: Literal["formed", "fixed"] = "formed"
    ) -> Problem:
        """Pose the problem without some systems, given by index; see `of_systems`."""
        kept = np.setdiff1d(np.arange(len(self.systems)), left)
        return self.of_systems(kept.tolist(), pool=pool)

    def with_relevant(self) -> Problem:
        """Pose the problem for the topics with a relevant document only."""
        listings = enumerate(self.listings)
        return self.of_topics([at for at, each in listings if each.relevant])

    def of_topics(self, kept: Sequence[int]) -> Problem:
        """Pose the problem for some topics only; nothing else changes for these."""
        return replace(
            self,
            topics=tuple(self.topics[i] for i in kept),
            listings=tuple(self.listings[i] for i in kept),
            pools=tuple(self.pools[i] for i in kept),
            contests=tuple(self.contests[i] for i in kept),
            columns=self.columns[np.asarray(kept, np.intp)],
        )


def problem_of(rankings: Rankings, rules: Rules) -> Problem:
    """Form the pools of rankings that were read with ``top=rules.depth``."""
    rows = _natural(rankings.systems)
    columns = _natural(rankings.topics)
    posed = Problem(
        systems=tuple(rankings.systems[row] for row in rows),
        topics=tuple(rankings.topics[column] for column in columns),
        listings=(),
        pools=(),
        contests=(),
        rules=rules,
        rankings=rankings,
        rows=rows,
        columns=columns,
    )
    listings = [list_topic(rankings, rows, column, rules) for column in columns]
    return pose(posed, listings)


def pose(
    problem: Problem,
    listings: Sequence[Listing],
    pools: Sequence[Pool] | None = None,
) -> Problem:
    """Replace what the systems listed, and form the pools or take those given."""
    rules = problem.rules
    formed = pools or [form_pool(listing, rules) for listing in listings]
    contests = [
        enter(listing, pool, rules)
        for listing, pool in zip(listings, formed, strict=True)
    ]
    return replace(
        problem,
        listings=tuple(listings),
        pools=tuple(formed),
        contests=tuple(contests),
    )


def list_topic(rankings: Rankings, rows: Codes, column: int, rules: Rules) -> Listing:
    """Collect what each system listed for a topic: system i is row ``rows[i]``."""
    judgments = rankings.judgments
    group = int(rankings.groups[column])
    owned = slice(judgments.offsets[group], judgments.offsets[group + 1])
    entered = np.flatnonzero(rankings.retrieved[rows, column] > 0)
    cells = rows[entered] * len(rankings.topics) + column
    codes = _codes(rankings, cells, rules)
    found = np.unique(codes[codes >= 0])
    if rules.pool == "judged":
        found = np.union1d(found, np.arange(owned.start, owned.stop))
    found, documents = _by_name(rankings, found.astype(np.int64))
    places = np.full(found.max(initial=0) + 2, END, np.int32)
    places[found] = np.arange(len(found))
    known = found < len(judgments.grades)
    grades = np.full(len(found), np.nan)
    grades[known] = judgments.grades[found[known]]
    return Listing(
        topic=rankings.topics[column],
        documents=documents,
        grades=grades,
        systems=entered.astype(np.int32),
        lists=places[codes],
        judged=int(owned.stop - owned.start),
        relevant=int((judgments.grades[owned] >= RELEVANT).sum()),
    )


def form_pool(listing: Listing, rules: Rules) -> Pool:
    """Pool the documents that count, in the order of the listing."""
    judged = ~np.isnan(listing.grades)
    if rules.pool == "judged":
        chosen = judged
    else:
        chosen = np.zeros(len(judged), np.bool_)
        listed = listing.lists[:, : rules.depth]
        chosen[listed[listed != END]] = True
        if rules.unjudged != "nonrelevant":
            chosen &= judged
    members = np.flatnonzero(chosen).astype(np.int32)
    grades = listing.grades[members]
    gains = np.array(rules.gain(np.nan_to_num(grades)), np.float64)
    return Pool(
        topic=listing.topic,
        members=members,
        documents=tuple(listing.documents[member] for member in members.tolist()),
        grades=grades,
        judged=judged[members],
        gains=gains,
        mean=float(gains.mean()) if len(gains) else np.nan,
        sd=float(gains.std()) if len(gains) else np.nan,
        reason=_reason(listing, gains),
    )


def enter(listing: Listing, pool: Pool, rules: Rules) -> Contest:
    """Find the place in the pool of every document that is scored."""
    depth = min(rules.scored, len(pool))
    worthless = ABSENT if rules.unjudged == "neutral" else PAD
    places = np.full(len(listing.documents) + 1, worthless, np.int32)
    places[pool.members] = np.arange(len(pool))
    places[END] = PAD if rules.pad else ABSENT
    scored = listing.lists[:, :depth]
    beyond = ((0, 0), (0, depth - scored.shape[1]))
    return Contest(
        systems=listing.systems,
        places=places[np.pad(scored, beyond, constant_values=END)],
        weights=weights(rules.discount, depth),
    )


def _reason(listing: Listing, gains: Floats) -> str | None:
    if not len(listing.systems):
        return "no run retrieved a document"
    if not len(gains):
        return "no judged document was retrieved, so the pool is empty"
    if gains.max() > gains.min():
        return None
    if not listing.relevant:
        return "no document was judged relevant"
    if gains[0] == 0:
        return "no relevant document is in the pool"
    return "all documents of the pool have the same gain"


def _codes(rankings: Rankings, cells: Codes, rules: Rules) -> Codes:
    """Return the first documents of some cells as `Top` numbers them: (n, l)."""
    if rules.unjudged == "condense":
        offsets, documents = rankings.offsets, rankings.judged.astype(np.int64)
    elif rankings.top is None:
        raise ValueError("rankings were read without their top documents")
    else:
        offsets, documents = rankings.top.offsets, rankings.top.documents
    lengths = offsets[cells + 1] - offsets[cells]
    ranks = np.arange(min(rules.depth, lengths.max(initial=0)))
    within = ranks < lengths[:, None]
    codes = np.full(within.shape, END, np.int64)
    codes[within] = documents[(offsets[cells][:, None] + ranks)[within]]
    return codes


def _by_name(rankings: Rankings, codes: Codes) -> tuple[Codes, tuple[str, ...]]:
    """Order documents by id, the judged ones first, and name them."""
    judged = len(rankings.judgments.grades)
    split = int(np.searchsorted(codes, judged))
    named = sorted(
        (rankings.judgments.documents[code], code) for code in codes[:split].tolist()
    )
    ordered = np.array([code for _, code in named], np.int64)
    others = codes[split:]
    unjudged = rankings.top.unjudged if rankings.top else ()
    names = [name for name, _ in named]
    names += [unjudged[code - judged] for code in others.tolist()]
    return np.concatenate([ordered, others]), tuple(names)


def _of_systems(listing: Listing, kept: Sequence[int]) -> Listing:
    numbers = np.full(max([*kept, *listing.systems.tolist()], default=0) + 1, END)
    numbers[list(kept)] = np.arange(len(kept))
    systems = numbers[listing.systems]
    stay = systems != END
    return replace(
        listing, systems=systems[stay].astype(np.int32), lists=listing.lists[stay]
    )


def _natural(names: Sequence[str]) -> Codes:
    order = sorted(range(len(names)), key=lambda place: natural_key(names[place]))
    return np.array(order, np.int64)
