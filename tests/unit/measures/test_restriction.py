from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from mohs.errors import InputError
from mohs.measures import at_depth, judged_only, mirror
from mohs.measures.example import listed
from mohs.rankings import Rankings


def columns(rankings: Rankings) -> list[list[tuple[int, float]]]:
    """Return the ranks and grades of each cell."""
    grades = rankings.judgments.grades[rankings.judged]
    pairs = list(zip(rankings.ranks.tolist(), grades.tolist(), strict=True))
    return [pairs[start:end] for start, end in pairwise(rankings.offsets.tolist())]


RANKINGS = listed([2, None, 0, -1, 1], [None, None], [None, 3]).rankings


def test_a_depth_cuts_every_cell() -> None:
    cut = at_depth(RANKINGS, 3)
    assert columns(cut) == [[(1, 2), (3, 0)], [], [(2, 3)]]
    assert cut.retrieved.tolist() == [[3, 2, 2]]


@pytest.mark.parametrize("depth", [5, 1000])
def test_a_depth_that_all_rankings_have_changes_nothing(depth: int) -> None:
    cut = at_depth(RANKINGS, depth)
    assert columns(cut) == columns(RANKINGS)
    assert cut.retrieved.tolist() == [[5, 2, 2]]


@pytest.mark.parametrize("depth", [0, -5])
def test_a_depth_below_one_is_refused(depth: int) -> None:
    with pytest.raises(InputError, match=f"depth must be 1 or more, found {depth}"):
        at_depth(RANKINGS, depth)


def test_judged_only_counts_ranks_anew() -> None:
    judged = judged_only(RANKINGS)
    assert columns(judged) == [[(1, 2), (2, 0), (3, 1)], [], [(1, 3)]]
    assert judged.retrieved.tolist() == [[3, 0, 1]]
    assert judged.judged_top.tolist() == [[3, 0, 1]]
    assert judged.mirrored.tolist() == judged.ranks.tolist()


def test_the_depth_comes_before_the_judgments() -> None:
    both = judged_only(at_depth(RANKINGS, 2))
    assert columns(both) == [[(1, 2)], [], [(1, 3)]]


# Ranks 2 and 3 of the first topic are tied, and rank 1 and 2 of the third.
TIED = replace(RANKINGS, mirrored=np.array([1, 2, 4, 5, 1], np.int32))
SWAPPED = listed([None, 1, 2], [1, 2]).rankings
SWAPPED = replace(SWAPPED, mirrored=np.array([3, 2, 2, 1], np.int32))


def test_mirroring_orders_each_cell_by_the_other_ranks() -> None:
    turned = mirror(SWAPPED)
    assert columns(turned) == [[(2, 2), (3, 1)], [(1, 2), (2, 1)]]
    assert columns(mirror(turned)) == columns(SWAPPED)
    assert columns(mirror(TIED))[0][1] == (2, 0)


def test_a_depth_after_mirroring_keeps_what_moved_up() -> None:
    assert columns(at_depth(mirror(SWAPPED), 2)) == [[(2, 2)], [(1, 2), (2, 1)]]


def test_judged_only_counts_mirrored_ranks_anew_too() -> None:
    judged = judged_only(SWAPPED)
    assert judged.ranks.tolist() == [1, 2, 1, 2]
    assert judged.mirrored.tolist() == [2, 1, 2, 1]
    assert columns(mirror(judged)) == columns(judged_only(mirror(SWAPPED)))
