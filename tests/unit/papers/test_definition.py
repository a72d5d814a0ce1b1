"""What was printed beside what was computed: decided by digits, never by eye."""

import math

import numpy as np
import pytest

from mohs.papers import KNOWN, Comparison, Exhibit, Reproduction, reproduce
from mohs.papers.definition import exhibit_names
from mohs.tables import Table
from mohs.tables.columns import python_values

# As printed, as computed, whether digits were cut off, how far off it may be: verdict.
VERDICTS = {
    (".7682", 0.76824, False, 0.0): "matches",
    (".7682", 0.76825, False, 0.0): "matches",
    (".7682", 0.768251, False, 0.0): "differs",
    (".7682", 0.76815, False, 0.0): "matches",
    (".6603", 0.66039, False, 0.0): "differs",
    (".6603", 0.66039, True, 0.0): "matches",
    (".6603", 0.66029, True, 0.0): "differs",
    ("-.12", -0.129, True, 0.0): "matches",
    ("6.045e-05", 6.0449e-05, False, 0.0): "matches",
    ("6.045e-05", 6.04e-05, False, 0.0): "differs",
    ("5742.72", 5742.7249, False, 0.0): "matches",
    ("1", 1.4, False, 0.0): "matches",
    (".5", 0.62, False, 0.0): "differs",
    (".5", 0.62, False, 0.1): "matches",
    (".5", math.nan, False, 1.0): "differs",
    (".5", None, False, 0.0): "not testable",
}


@pytest.mark.parametrize(("given", "verdict"), VERDICTS.items())
def test_digits_decide(given: tuple[str, float, bool, float], verdict: str) -> None:
    printed, computed, truncated, within = given
    found = Comparison.of(
        "Table 1", "w", printed, computed, truncated=truncated, within=within
    )
    assert found.verdict == verdict


def test_digits_are_those_that_were_printed() -> None:
    found = [Comparison.of("", "", text, None) for text in (".7682", "6.045e-05", "12")]
    assert [each.digits for each in found] == [4, 8, 0]
    assert [each.published for each in found] == [0.7682, 6.045e-05, 12]


@pytest.mark.parametrize(
    ("holds", "verdict"),
    [(True, "holds"), (False, "does not hold"), (None, "not testable")],
)
def test_a_statement_holds_or_not(holds: bool | None, verdict: str) -> None:  # noqa: FBT001
    found = Comparison.remark("section 5", "177 is low", holds, computed=0.2)
    assert (found.verdict, found.published, found.difference) == (verdict, None, None)


def test_parts_of_an_exhibit_have_letters() -> None:
    numbers = ["Table 1", *["Figure 4"] * 27, "Figure 40"]
    names = exhibit_names(numbers)
    assert (names[0], names[1], names[26:]) == (
        "table-1",
        "figure-4-a",
        ("figure-4-z", "figure-4-aa", "figure-40"),
    )


def test_a_reproduction_knows_its_tables() -> None:
    table = Table({"x": np.array([1.0])})
    found = Reproduction(
        "p",
        "A paper",
        "Someone, 2020",
        "It holds.",
        (Comparison.of("Table 1", "x", "1.0", 1.04),),
        (Exhibit("Table 1", "x", "An x.", table), Exhibit("Figure 1", "y", "A y.")),
    )
    tables = found.tables()
    assert list(tables) == ["comparisons", "table-1"]
    assert tables["table-1"] is table
    assert [*tables["comparisons"].rows()] == [
        ("Table 1", "x", 1.0, 1.04, pytest.approx(0.04), "matches", None)
    ]
    assert python_values(tables["comparisons"]["verdict"]) == ["matches"]
    assert repr(found) == repr(tables["comparisons"])


def test_an_unknown_paper_is_named() -> None:
    with pytest.raises(LookupError, match=r"no paper named 'm71'\. Did you mean 'm17'"):
        reproduce("m71")
    assert "m17" in KNOWN
