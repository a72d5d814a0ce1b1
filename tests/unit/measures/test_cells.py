import numpy as np

from mohs.measures.cells import Cells, running
from mohs.measures.example import listed


def test_a_selection_knows_its_documents_cells_and_totals() -> None:
    found = listed([0, 2, None, 1], [], [1], missed=[3]).relevant(1)
    assert found.cells.tolist() == [0, 0, 2]
    assert found.ranks.tolist() == [2, 4, 1]
    assert found.order.tolist() == [1, 2, 1]
    assert found.grades.tolist() == [2, 1, 1]
    assert found.starts.tolist() == [0, 2, 2, 3]
    assert found.totals.tolist() == [3, 1, 2]
    assert found.counts().tolist() == [2, 0, 1]
    assert found.hits(2).tolist() == [1, 0, 1]


def test_sums_of_nothing_are_numbers_too() -> None:
    found = listed([], []).relevant(1)
    sums = found.sums(found.order / found.ranks)
    assert sums.tolist() == [0.0, 0.0]
    assert sums.dtype == np.float64


def test_measures_of_one_level_share_a_selection() -> None:
    cells: Cells = listed([0, 2, 1])
    assert cells.relevant(1) is cells.graded()
    assert cells.relevant(1) is cells.relevant(0.5)
    assert cells.relevant(2) is not cells.relevant(1)


def test_running_counts_begin_at_nothing() -> None:
    assert running(np.array([], np.bool_)).tolist() == [0]
    assert running(np.array([True, True, False])).tolist() == [0, 1, 2, 2]
