"""The pictures of an analysis of variance: what they say, and what they refuse."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mohs
from mohs.analysis.anova import Anova
from mohs.analysis.anova.decomposition import left_over
from mohs.analysis.anova.effects import SIZES
from mohs.charts import THEMES, chart, save
from mohs.charts.anova import SHOWS
from mohs.charts.groups import half_widths
from mohs.charts.residuals import thinned
from mohs.errors import InputError, UnknownNameError

GRID = {"topic": 8, "stemmer": 2, "model": 3}
BOTH = "AP ~ topic + stemmer*model"


def scores(
    path: Path, sizes: dict[str, int], noise: float = 0.05, left_out: int = 0
) -> Path:
    """Write scores of a grid of levels, all of whose main effects are alike."""
    random = np.random.default_rng(0)
    lines = [",".join([*sizes, "measure", "value"])]
    for levels in product(*map(range, sizes.values())):
        effect = sum(
            level / size for level, size in zip(levels, sizes.values(), strict=True)
        )
        value = 0.1 * effect + noise * random.normal()
        names = (f"{name[0]}{level}" for name, level in zip(sizes, levels, strict=True))
        lines.append(",".join([*names, "AP", f"{value:.6f}"]))
    path.write_text("\n".join(lines[: len(lines) - left_out]) + "\n", "utf-8")
    return path


@pytest.fixture
def grid(tmp_path: Path) -> Anova:
    return mohs.anova(scores(tmp_path / "a.csv", GRID), BOTH, tukey="model")


def texts(path: Path) -> set[str]:
    root = ET.parse(path).getroot()  # noqa: S314 (our own)
    found = root.iter("{http://www.w3.org/2000/svg}text")
    return {line for each in found for line in each.itertext()}


def shown(result: Anova, folder: Path, **options: object) -> set[str]:
    save(result, folder / "a.svg", **options)
    return texts(folder / "a.svg")


def data(result: Anova, name: str, **options: object) -> list[dict[str, Any]]:
    return chart(result, **options).to_dict()["datasets"][name]


def encodings(part: dict[str, Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Yield every layer's kind of mark and its encoding."""
    if "mark" in part:
        yield part["mark"], part.get("encoding", {})
    for inner in part.get("hconcat") or part.get("vconcat") or part.get("layer", []):
        yield from encodings(inner)


# Effects


def test_every_term_is_a_row_with_its_figures(grid: Anova) -> None:
    rows = data(grid, "terms")
    table = grid.table.to_dicts()[: len(grid.parts.terms)]
    assert [row["term"] for row in rows] == [row["term"] for row in table]
    for name, column in {
        "partial": "omega2_partial",
        "low": "omega2_partial_low",
        "high": "omega2_partial_high",
        "f": "f",
    }.items():
        expected = [row[column] for row in table]
        found = [row.get(name) for row in rows]
        assert found == [each and pytest.approx(each) for each in expected]
    assert [row["size"] for row in rows] == [row["size"] for row in table]
    assert {row["size"] for row in rows} <= {*SIZES}


def test_effects_say_what_was_asked(grid: Anova, tmp_path: Path) -> None:
    assert {
        "Effects on AP",
        "AP ~ topic + stemmer + model + stemmer:model",
        "AP; 48 observations; sums of squares of type II",
        "Line: 95% interval, bootstrap over topics; none for topic",
        *("small", "medium", "large"),
        *("topic", "stemmer", "model", "stemmer:model"),
    } <= shown(grid, tmp_path)


WAYS = {
    "noncentral": "Line: 95% interval, from the non-central F",
    "none": "No intervals were asked for",
}


@pytest.mark.parametrize("way", WAYS)
def test_effects_say_how_intervals_were_made(way: str, tmp_path: Path) -> None:
    path = scores(tmp_path / "a.csv", GRID, left_out=1)
    result = mohs.anova(path, BOTH, intervals=way, type=3)
    found = shown(result, tmp_path)
    assert {WAYS[way], "AP; 47 observations; sums of squares of type III"} <= found


def test_negative_effects_stay_on_the_axis(tmp_path: Path) -> None:
    path = scores(tmp_path / "a.csv", {"topic": 5, "system": 3}, noise=3)
    spec = chart(mohs.anova(path, "~ topic + system")).to_dict()
    least = min(row["partial"] for row in spec["datasets"]["terms"])
    scales = [
        encoding["x"]["scale"]
        for _, encoding in encodings(spec)
        if "scale" in encoding.get("x", {})
    ]
    assert least < 0
    assert [scale["type"] for scale in scales] == ["sqrt"]
    assert scales[0]["domain"][0] < least


def test_an_aliased_term_says_so(tmp_path: Path) -> None:
    result = mohs.anova(
        {
            system: {
                topic: {"AP": value} for topic, value in zip("123", values, strict=True)
            }
            for system, values in {"a": (0.1, 0.5, 0.3), "b": (0.2, 0.4, 0.7)}.items()
        },
        "~ topic + system",
    )
    assert "aliased, df 0" not in shown(result, tmp_path)
    path = scores(tmp_path / "a.csv", {"topic": 4, "system": 3})
    header, *lines = path.read_text("utf-8").splitlines()
    twice = [f"{header},team", *(f"{line},{line.split(',')[1]}x" for line in lines)]
    path.write_text("\n".join(twice) + "\n", "utf-8")
    result = mohs.anova(path, "~ topic + system + team")
    assert "aliased, df 0" in shown(result, tmp_path)
    aliased = data(result, "terms")[2]
    assert (aliased["term"], aliased["note"]) == ("team", "aliased, df 0")
    assert not {"partial", "f", "p", "size"} & {*aliased}


def test_chances_below_the_smallest_number_are_spelled(tmp_path: Path) -> None:
    path = scores(tmp_path / "a.csv", {"topic": 40, "system": 60}, noise=1e-4)
    rows = data(mohs.anova(path, "~ topic + system", random="topic"), "terms")
    assert [row["p"][:3] for row in rows] == ["1e-", "1e-"]
    assert all(int(row["p"][3:]) > 308 for row in rows)
    assert rows[1]["p_random"] == "below 1e-300"


def test_thirty_terms_have_thirty_names(tmp_path: Path) -> None:
    sizes = {"topic": 3, "stop": 2, "lug": 2, "model": 2, "query": 2, "index": 2}
    result = mohs.anova(
        scores(tmp_path / "a.csv", sizes), "~ topic + stop*lug*model*query*index"
    )
    found = shown(result, tmp_path)
    assert len(result.parts.terms) == 32
    assert {":".join(term) for term in result.parts.terms} <= found
    assert any(line.endswith(" …") for line in found)


# Means


def test_means_are_in_order_and_topics_are_left_out(grid: Anova) -> None:
    spec = chart(grid, show="means").to_dict()
    assert {*spec["datasets"]} == {"means of stemmer", "means of model"}
    rows = spec["datasets"]["means of model"]
    table = {row[1]: row[2:] for row in grid.marginal("model").rows()}
    assert [row["level"] for row in rows] == ["m2", "m1", "m0"]
    for row in rows:
        found = (row["mean"], row["low"], row["high"], row["observations"])
        assert found == pytest.approx(table[row["level"]])
    assert "Not drawn: topic (8 levels)" in spec["title"]["subtitle"]


def test_factors_can_be_named(grid: Anova) -> None:
    spec = chart(grid, show="means", factors=("topic",)).to_dict()
    assert {*spec["datasets"]} == {"means of topic"}
    with pytest.raises(UnknownNameError, match="Did you mean 'model'"):
        chart(grid, show="means", factors=("modle",))


def test_means_of_many_levels_are_drawn_if_there_are_no_others(tmp_path: Path) -> None:
    path = scores(tmp_path / "a.csv", {"topic": 3, "system": 61, "team": 2})
    with_few = chart(
        mohs.anova(path, "~ topic + system + team"), show="means"
    ).to_dict()
    assert {*with_few["datasets"]} == {"means of team"}
    assert "system (61 levels)" in with_few["title"]["subtitle"][-1]
    alone = chart(mohs.anova(path, "~ topic + system"), show="means").to_dict()
    assert len(alone["datasets"]["means of system"]) == 61
    topics = chart(mohs.anova(path, "~ topic"), show="means").to_dict()
    assert len(topics["datasets"]["means of topic"]) == 3


# Interaction


def test_lines_are_of_the_smaller_factor(grid: Anova, tmp_path: Path) -> None:
    rows = data(grid, "means", show="interaction")
    table = {row[1]: row[2] for row in grid.marginal("stemmer", "model").rows()}
    found = {f"{row['line']}:{row['along']}": row["mean"] for row in rows}
    assert found == pytest.approx(table)
    # Columns stand in the order of their means.
    assert {row["along"]: row["place"] for row in rows} == {"m2": 0, "m1": 1, "m0": 2}
    assert "stemmer and model: mean AP" in shown(grid, tmp_path, show="interaction")


def test_the_largest_interaction_is_drawn(tmp_path: Path) -> None:
    path = scores(tmp_path / "a.csv", {**GRID, "stop": 2})
    lines = path.read_text("utf-8").splitlines()
    for place, line in enumerate(lines):
        *front, value = line.split(",")
        if {"m1", "s1"} <= {*front} and front[3] == "s1":
            lines[place] = ",".join([*front, str(float(value) + 1)])
    path.write_text("\n".join(lines) + "\n", "utf-8")
    result = mohs.anova(path, "~ topic*stemmer + model*stop + stemmer:model")
    assert {row["along"][0] for row in data(result, "means", show="interaction")} == {
        "m"
    }
    title = chart(result, show="interaction").to_dict()["title"]["text"]
    assert title == "stop and model: mean AP"
    named = chart(result, show="interaction", factors=("topic", "stop")).to_dict()
    assert named["title"]["text"] == "stop and topic: mean AP"


def test_levels_may_hold_colons(tmp_path: Path) -> None:
    values = iter(np.random.default_rng(3).random(16).round(3).tolist())
    lines = ["topic,left,right,measure,value"]
    lines += [
        f"{topic},{left},{right},AP,{next(values)}"
        for topic in "1234"
        for left in ("a", "a:b")
        for right in ("c", "b:c")
    ]
    (tmp_path / "a.csv").write_text("\n".join(lines) + "\n", "utf-8")
    result = mohs.anova(tmp_path / "a.csv", "~ topic + left*right")
    rows = data(result, "means", show="interaction")
    found = {(row["line"], row["along"]) for row in rows}
    assert found == {("a", "c"), ("a", "b:c"), ("a:b", "c"), ("a:b", "b:c")}


REFUSED = {
    ("a",): (UnknownNameError, "no factor in the formula named 'a'"),
    ("model",): (InputError, "of two different factors, not of 1"),
    ("model", "model"): (InputError, "of two different factors, not of 1"),
    ("topic", "stemmer", "model"): (InputError, "of two different factors, not of 3"),
}


@pytest.mark.parametrize("factors", REFUSED)
def test_other_factors_are_refused(grid: Anova, factors: tuple[str, ...]) -> None:
    kind, message = REFUSED[factors]
    with pytest.raises(kind, match=message):
        chart(grid, show="interaction", factors=factors)


def test_without_an_interaction_one_is_asked_for(tmp_path: Path) -> None:
    path = scores(tmp_path / "a.csv", GRID)
    with pytest.raises(InputError, match=r"as in \+ stemmer:model"):
        chart(mohs.anova(path, "~ topic*stemmer + model"), show="interaction")


def test_too_many_lines_are_refused(tmp_path: Path) -> None:
    path = scores(tmp_path / "a.csv", {"topic": 2, "system": 25, "query": 26})
    result = mohs.anova(path, "~ topic + system*query")
    with pytest.raises(InputError, match=r"up to 24 lines .* --where"):
        chart(result, show="interaction")


# Groups


def test_bars_join_the_levels_of_a_letter(tmp_path: Path) -> None:
    path = scores(tmp_path / "a.csv", {"topic": 8, "system": 12}, noise=0.03)
    result = mohs.anova(path, "~ topic + system", tukey="system")
    spec = chart(result, show="groups").to_dict()
    levels, bars = spec["datasets"]["levels"], spec["datasets"]["groups"]
    names = [level["level"] for level in levels]
    assert names == [*result.comparisons.levels]
    for bar in bars:
        joined = names[names.index(bar["first"]) : names.index(bar["last"]) + 1]
        lettered = [
            level["level"] for level in levels if bar["letter"] in level["group"]
        ]
        assert joined == lettered
        assert bar["count"] == len(joined)
    assert len(bars) > 1


def test_intervals_overlap_where_levels_are_not_told_apart(tmp_path: Path) -> None:
    path = scores(tmp_path / "a.csv", {"topic": 8, "system": 12}, noise=0.03)
    found = mohs.anova(path, "~ topic + system", tukey="system").comparisons
    half = half_widths(found)
    apart = found.means[found.left] - found.means[found.right]
    touching = half[found.left] + half[found.right]
    assert ((apart > touching) == (found.p < 0.05)).all()


def test_two_levels_share_their_difference(tmp_path: Path) -> None:
    path = scores(tmp_path / "a.csv", {"topic": 8, "system": 2}, left_out=3)
    found = mohs.anova(path, "~ topic + system", tukey="system").comparisons
    assert half_widths(found).sum() == pytest.approx((found.high - found.low)[0] / 2)


def test_long_runs_of_letters_are_named_by_their_ends(tmp_path: Path) -> None:
    path = scores(tmp_path / "a.csv", {"topic": 10, "system": 144}, noise=0.02)
    result = mohs.anova(path, "~ topic + system", tukey="system")
    levels = data(result, "levels", show="groups")
    for level in levels:
        if len(level["group"]) <= 5:
            assert level["short"] == level["group"]
        else:
            assert level["short"][0] == level["group"][0]
    assert any(len(level["group"]) > 5 for level in levels)
    found = shown(result, tmp_path, show="groups")
    assert {level["level"] for level in levels} <= found


def test_groups_have_to_be_asked_for(tmp_path: Path) -> None:
    result = mohs.anova(scores(tmp_path / "a.csv", GRID), BOTH)
    with pytest.raises(InputError, match="ask for --tukey COLUMN"):
        chart(result, show="groups")


# Residuals


def test_all_residuals_are_counted(grid: Anova) -> None:
    left = left_over(grid.parts)
    cells = data(grid, "cells", show="residuals")
    assert sum(cell["count"] for cell in cells) == len(left)
    assert min(cell["low"] for cell in cells) == pytest.approx(left.min())
    assert max(cell["high"] for cell in cells) == pytest.approx(left.max())
    points = data(grid, "quantiles", show="residuals")
    found = [point["residual"] for point in points]
    assert found == pytest.approx(sorted(left / left.std()))


def test_large_results_make_small_charts(tmp_path: Path) -> None:
    path = scores(tmp_path / "a.csv", {"topic": 50, "system": 200})
    spec = chart(mohs.anova(path, "~ topic + system"), show="residuals").to_dict()
    assert len(spec["datasets"]["quantiles"]) <= 500
    assert len(spec["datasets"]["cells"]) <= 44 * 44
    assert len(json.dumps(spec)) < 250_000


@pytest.mark.parametrize("count", [1, 2, 499, 500, 501, 20_000])
def test_ranks_reach_from_end_to_end(count: int) -> None:
    ranks = thinned(count)
    assert (ranks[0], ranks[-1]) == (0, count - 1)
    assert (np.diff(ranks) > 0).all()
    assert len(ranks) <= 500


# All of them


@pytest.mark.parametrize("show", SHOWS.names())
def test_pictures_come_in_every_kind(show: str, grid: Anova, tmp_path: Path) -> None:
    starts = {"html": b"<!DOCTYPE", "svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
    for kind, start in starts.items():
        save(grid, tmp_path / f"a.{kind}", show=show)
        assert (tmp_path / f"a.{kind}").read_bytes().startswith(start)
    assert b"href=" not in (tmp_path / "a.svg").read_bytes()
    assert "AP ~ topic + stemmer + model + stemmer:model" in texts(tmp_path / "a.svg")


@pytest.mark.parametrize("show", SHOWS.names())
def test_every_mark_has_a_tip(show: str, grid: Anova) -> None:
    spec = chart(grid, show=show).to_dict()
    bare = [
        mark["type"]
        for mark, encoding in encodings(spec)
        if "tooltip" not in encoding
        # Axes, the zero line, and the lines between points that have tips themselves.
        and mark["type"] != "line"
        and mark.get("style") != "zero"
        and mark.get("opacity") != 0
    ]
    assert bare == []


@pytest.mark.parametrize("show", SHOWS.names())
def test_a_theme_is_only_configuration(show: str, grid: Anova) -> None:
    specs = [
        chart(grid, show=show, theme=theme, dark=dark).to_dict()
        for theme in THEMES.names()
        for dark in (False, True)
    ]
    bare = [
        {
            part: each
            for part, each in spec.items()
            if part not in {"config", "usermeta"}
        }
        for spec in specs
    ]
    assert all(each == bare[0] for each in bare)
    assert "#" not in json.dumps({**bare[0], "$schema": ""})


@pytest.mark.parametrize("show", SHOWS.names())
def test_a_title_is_taken(show: str, grid: Anova, tmp_path: Path) -> None:
    assert "My grid" in shown(grid, tmp_path, show=show, title="My grid")


@pytest.mark.parametrize("show", sorted({*SHOWS.names()} - {"groups"}))
def test_a_perfect_fit_is_drawn(show: str, tmp_path: Path) -> None:
    lines = ["topic,left,right,measure,value"]
    lines += [
        f"{topic},{left},{right},AP,{topic + 2 * left + 4 * right}"
        for topic in range(4)
        for left in range(2)
        for right in range(2)
    ]
    (tmp_path / "a.csv").write_text("\n".join(lines) + "\n", "utf-8")
    formula = "~ topic + left*right"
    result = mohs.anova(tmp_path / "a.csv", formula, intervals="none")
    assert any(
        line.startswith("~ topic") for line in shown(result, tmp_path, show=show)
    )


@pytest.mark.parametrize("show", SHOWS.names())
def test_names_of_any_kind_are_shown(show: str, tmp_path: Path) -> None:
    odd = ["日本", "тема", '<&">', "a\tb"]
    values = iter(np.random.default_rng(5).random(64).tolist())
    lines = ["topic\tимя\tthe other.one[0]\tmeasure\tvalue"]
    lines += [
        f"{topic}\t{left}\t{right}\tAP\t{next(values)}"
        for topic in range(4)
        for left in odd[:3]
        for right in ("x'y", "\\")
    ]
    (tmp_path / "a.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    formula = "~ topic + имя*`the other.one[0]`"
    result = mohs.anova(tmp_path / "a.tsv", formula, tukey="имя")
    found = shown(result, tmp_path, show=show)
    if show in {"means", "interaction", "groups"}:
        assert {*odd[:3]} <= found
    if show == "effects":
        assert {"имя", "the other.one[0]", "имя:the other.one[0]"} <= found
    if show == "residuals":
        assert any("`the other.one[0]`" in line for line in found)


def test_an_unknown_picture_is_refused(grid: Anova) -> None:
    with pytest.raises(UnknownNameError, match=r"'group'\. Did you mean 'groups'\?"):
        chart(grid, show="group")
