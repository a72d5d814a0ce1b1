import subprocess
import sys

import numpy as np
import pytest

from mohs.statistics.streams import stream

# What must differ: a pair of purposes that careless joining would confuse.
DIFFERENT = [
    ((0, "a", "b"), (0, "ab")),
    ((0, "a", "b"), (0, "b", "a")),
    ((0, "1"), (0, 1)),
    ((0, 1, 2), (0, 12)),
    ((0,), (0, "")),
    ((0, "a"), (1, "a")),
    ((1, "a"), (-1, "a")),
    ((0, "s1"), (0, "s", "1")),
]


@pytest.mark.parametrize(("left", "right"), DIFFERENT)
def test_different_purposes_open_different_streams(left: tuple, right: tuple) -> None:
    assert stream(*left).random(4).tolist() != stream(*right).random(4).tolist()


def test_the_same_purpose_opens_the_same_stream_from_its_beginning() -> None:
    used = stream(7, "permutation", "301", "alpha")
    used.random(1000)
    again = stream(7, "permutation", "301", "alpha").random(5)
    assert again.tolist() == stream(7, "permutation", "301", "alpha").random(5).tolist()


def test_the_numbers_never_change() -> None:
    # Published results depend on these; a change here is a change of every seed.
    assert stream(0, "golden", 1).integers(0, 1000, 5).tolist() == [
        97,
        818,
        663,
        363,
        524,
    ]


def test_numpy_integers_and_odd_text_are_purposes_too() -> None:
    assert (
        stream(0, np.int64(3)).random()  # type: ignore[arg-type]
        == stream(0, 3).random()
    )
    assert 0 <= stream(0, "\udcff", "zürich", "").random() < 1


def test_streams_are_uniform_and_uncorrelated() -> None:
    draws = np.array([stream(0, "uniform", i).random(50) for i in range(400)])
    # 20,000 uniforms: standard error of the mean .002; correlations between columns
    # have standard error .05, and the largest of 1,225 stays below five of them.
    assert abs(draws.mean() - 0.5) < 0.01
    correlation = np.corrcoef(draws.T) - np.eye(50)
    assert abs(correlation).max() < 0.25


def test_opening_a_stream_loads_numpy_alone() -> None:
    script = (
        "import sys, mohs.statistics.streams\n"
        "print(sorted({'scipy', 'polars', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
