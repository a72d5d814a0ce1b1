import numpy as np

from mohs.analysis.difficulty.comparison import agreement, opposed
from mohs.analysis.difficulty.opinion import Opinion
from mohs.tables import Factor

NAN = float("nan")
KEYS = {"topic": Factor.of(["1", "2", "3", "4"])}
BY_RATIO = Opinion(
    "difficulty",
    np.array([0.1, 0.9, NAN, 0.6]),
    ("hard", "easy", None, "moderately easy"),
    high_is_easy=True,
)
BY_MEAN = Opinion(
    "mean",
    np.array([0.3, 0.2, 0.1, 0.4]),
    ("medium", "hard", "hard", "easy"),
    high_is_easy=True,
)
BY_LISTS = Opinion(
    "lists", np.array([4.0, 1.0, 2.0, 3.0]), (None,) * 4, high_is_easy=False
)


def test_every_pair_is_compared_as_hardness() -> None:
    found = agreement([BY_RATIO, BY_MEAN, BY_LISTS])
    assert list(found.rows()) == [
        # 1-2 and 2-4 are discordant, 1-4 concordant.
        ("difficulty", "mean", 3, -1 / 3, 3, 1),
        ("difficulty", "lists", 3, 1.0, 0, 0),
        # Ease by lists is 2 3 4 1 over means 1 (topic 3) 0.2 0.3 0.4.
        ("mean", "lists", 4, -1 / 3, 0, 0),
    ]


def test_topics_on_both_sides_are_listed() -> None:
    found = opposed(KEYS, [BY_RATIO, BY_MEAN, BY_LISTS])
    assert found.names == ("topic", "difficulty", "mean", "hard", "easy")
    assert list(found.rows()) == [("2", "easy", "hard", 1, 1)]


def test_one_opinion_opposes_nobody() -> None:
    assert len(agreement([BY_RATIO])) == 0
    assert len(opposed(KEYS, [BY_RATIO])) == 0
    assert len(opposed(KEYS, [BY_LISTS])) == 0


def test_who_speaks_elsewhere_keeps_a_column() -> None:
    found = opposed(KEYS, [BY_RATIO, BY_MEAN, BY_LISTS], classed={"lists"})
    assert list(found.rows()) == [("2", "easy", "hard", None, 1, 1)]
