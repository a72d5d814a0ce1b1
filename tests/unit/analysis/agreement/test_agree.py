"""Two views of the same topics, small enough to be compared on paper."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import mohs
from mohs.analysis.agreement import Agreement, agree
from mohs.errors import MohsError

# system -> value on topics 1 to 4; every mean below is worked out on paper.
VALUES = {
    "a1": (0.9, 0.5, 0.3, 0.1),
    "a2": (0.7, 0.7, 0.1, 0.1),
    "b1": (0.2, 0.6, 0.4, 0.4),
    "b2": (0.0, 0.2, 0.4, 0.2),
}
COLUMNS = (
    *("left", "right", "measure", "topics", "overlap", "tau_b", "low", "high", "p"),
    *("tau_a", "tau_ap_left", "tau_ap_right", "spearman", "pearson"),
)


def scores(
    values: Mapping[str, tuple[float, ...]] = VALUES, measure: str = "AP"
) -> dict[str, dict[str, dict[str, float]]]:
    return {
        system: {str(n): {measure: value} for n, value in enumerate(row, 1)}
        for system, row in values.items()
    }


def corpora() -> list[dict[str, object]]:
    """Return records of two corpora; LA has no topic 1, and its order is turned."""
    rows = []
    for system, row in VALUES.items():
        for number, value in enumerate(row, 1):
            row_of = {"system": system, "topic": str(number), "measure": "AP"}
            rows.append({**row_of, "corpus": "FT", "value": value})
            if number > 1:
                rows.append({**row_of, "corpus": "LA", "value": 1 - value})
    return rows


def frame(rows: list[dict[str, object]]) -> object:
    import polars as pl

    return pl.DataFrame(rows)


def row(result: Agreement, number: int = 0) -> dict:
    return result.table.row(number, named=True)


def test_two_sets_on_paper() -> None:
    # Means of a: .8 .6 .2 .1; of b: .1 .4 .4 .3. Pairs: 1-2 -, 1-3 -, 1-4 -,
    # 2-3 tied, 2-4 +, 3-4 +: balance -1 of 6, one of them tied on the right.
    result = mohs.agree(scores(), sets="tag:^a,tag:^b")
    assert tuple(result.table.columns) == COLUMNS
    found = row(result)
    assert (found["left"], found["right"]) == ("tag:^a", "tag:^b")
    assert (found["measure"], found["topics"], found["overlap"]) == ("AP", 4, 0)
    assert found["tau_a"] == pytest.approx(-1 / 6)
    assert found["tau_b"] == pytest.approx(-1 / np.sqrt(6 * 5))
    # Ranks 4 3 2 1 and 1 3.5 3.5 2.
    assert found["spearman"] == pytest.approx(-1.5 / np.sqrt(5 * 4.5))
    assert found["tau_ap_left"] is found["tau_ap_right"] is None
    (note,) = result.notes
    assert note == (
        "topics are tied, and with ties there is no tau_ap, which leaves out such"
        " draws of random sets: tag:^a and tag:^b"
    )


def test_the_top_of_either_side() -> None:
    swapped = {"a": (0.9, 0.5, 0.3, 0.1), "b": (0.5, 0.9, 0.3, 0.1)}
    found = row(mohs.agree(scores(swapped), sets="tag:a,tag:b"))
    assert found["tau_ap_left"] == pytest.approx(2 / 3 * (0 + 1 + 1) - 1)
    moved = {"a": (0.9, 0.5, 0.3, 0.1), "b": (0.5, 0.3, 0.9, 0.1)}
    found = row(mohs.agree(scores(moved), sets="tag:a,tag:b"))
    # Left walks 1 2 3 4: shares 1, 0, 1; right walks 3 1 2 4: 0, 1/2, 1.
    assert found["tau_ap_left"] == pytest.approx(2 / 3 * 2 - 1)
    assert found["tau_ap_right"] == pytest.approx(2 / 3 * 1.5 - 1)


# sets -> members of the second set; means of systems: .45 .4 .4 .2
CHOICES = {
    "all,best:1": {"a1"},
    "all,best:2": {"a1", "a2"},
    "all,worst:1": {"b2"},
    "all,tag:1$": {"a1", "b1"},
    "all,tag:[ab]{1,1}2": {"a2", "b2"},
}


@pytest.mark.parametrize("sets", CHOICES)
def test_sets_choose_systems(sets: str) -> None:
    side = mohs.agree(scores(), sets=sets).sides[1]
    chosen = np.array(side.matrix.systems)[side.members[0]]
    assert {*chosen.tolist()} == CHOICES[sets]


def test_a_file_names_systems(tmp_path: Path) -> None:
    path = tmp_path / "teams.txt"
    path.write_text("# ours\na1\n\n b2 \n")
    side = mohs.agree(scores(), sets=["all", f"file:{path}"]).sides[1]
    assert side.members.tolist() == [[True, False, False, True]]
    path.write_text("a1\nc3\n")
    with pytest.raises(MohsError, match=r"no system of .*teams.txt named 'c3'"):
        mohs.agree(scores(), sets=["all", f"file:{path}"])


def test_random_sets_are_drawn_again_and_again() -> None:
    result = mohs.agree(scores(), sets="all,random:2", repeat=50)
    side = result.sides[1]
    assert side.members.shape == (50, 4)
    assert set(side.members.sum(axis=1)) == {2}
    assert len({tuple(each) for each in side.members.tolist()}) == 6
    expected = [
        [np.mean([row[t] for row, has in zip(VALUES.values(), m, strict=True) if has])]
        for m in side.members
        for t in range(4)
    ]
    np.testing.assert_allclose(side.difficulty.ravel(), np.ravel(expected))
    assert row(result)["overlap"] == 1
    other = mohs.agree(scores(), sets="all,random:2", repeat=50, seed=1)
    assert other.sides[1].members.tolist() != side.members.tolist()


def test_the_same_systems_are_drawn_for_every_level() -> None:
    result = mohs.agree(frame(corpora()), by="corpus", sets="random:2", repeat=9)
    left, right = result.sides
    assert left.members.tolist() == right.members.tolist()
    assert row(result)["overlap"] == 1


def test_overlap_is_a_share_of_the_smaller_set() -> None:
    result = mohs.agree(scores(), sets="all,best:2,worst:1,tag:1$")
    shares = {(r["left"], r["right"]): r["overlap"] for r in result.table.to_dicts()}
    assert shares == {
        ("all", "best:2"): 1,
        ("all", "worst:1"): 1,
        ("all", "tag:1$"): 1,
        ("best:2", "worst:1"): 0,
        ("best:2", "tag:1$"): 0.5,
        ("worst:1", "tag:1$"): 0,
    }


def test_notes_warn_of_what_flatters() -> None:
    notes = mohs.agree(scores(), sets="all,best:2,tag:b").notes
    assert notes[0] == (
        "sets share systems, whose scores count on both sides, so that some of the"
        " agreement is of scores with themselves: all and best:2; all and tag:b"
    )
    assert notes[1] == (
        "best:2 were chosen by the scores that they are judged on; file:PATH takes a"
        " choice made elsewhere"
    )
    # Nobody was chosen from the whole.
    notes = mohs.agree(scores(), sets="all,best:4").notes
    assert not any("chosen" in note for note in notes)


def test_levels_of_a_column_are_compared_on_their_common_topics() -> None:
    result = mohs.agree(frame(corpora()), by="corpus")
    found = row(result)
    assert (found["left"], found["right"], found["topics"]) == ("FT", "LA", 3)
    assert (found["tau_b"], found["pearson"]) == (-1, pytest.approx(-1))
    assert result.notes == ("only topics that both sides have are compared: FT and LA",)


def test_sets_of_levels_have_both_names() -> None:
    result = mohs.agree(frame(corpora()), by="corpus", sets="all,tag:a")
    pairs = [(each["left"], each["right"]) for each in result.table.to_dicts()]
    assert pairs == [("all of FT", "all of LA"), ("tag:a of FT", "tag:a of LA")]
    # The pairs of a set stand together.
    sides = [side.name for side in result.sides]
    assert sides == ["all of FT", "all of LA", "tag:a of FT", "tag:a of LA"]


def test_measures_are_compared() -> None:
    both = {
        system: {topic: {**cell, "RR": 1 - cell["AP"]} for topic, cell in row.items()}
        for system, row in scores().items()
    }
    found = row(mohs.agree(both, by="measure"))
    assert (found["left"], found["right"]) == ("AP", "RR")
    assert (found["measure"], found["tau_b"]) == ("AP, RR", -1)


def test_a_measure_may_have_two_spellings() -> None:
    found = row(mohs.agree(scores(), scores(measure="map")))
    assert (found["measure"], found["tau_b"]) == ("AP", 1)
    found = row(mohs.agree(scores(), scores(measure="RR")))
    assert found["measure"] == "AP, RR"


def test_two_tables_are_compared_set_by_set() -> None:
    few = {name: VALUES[name] for name in ("a1", "b1")}
    result = mohs.agree(scores(), scores(few), sets="all,tag:a")
    rows = result.table.to_dicts()
    assert [(each["left"], each["right"], each["overlap"]) for each in rows] == [
        ("all of scores 1", "all of scores 2", 1),
        ("tag:a of scores 1", "tag:a of scores 2", 1),
    ]
    # Means: .45 .5 .3 .2 and .55 .55 .35 .25.
    assert rows[0]["tau_b"] == pytest.approx(5 / np.sqrt(6 * 5))
    assert rows[1]["tau_b"] == 1


def test_sides_may_be_swapped() -> None:
    few = {"a1": VALUES["a1"]}
    left, right = scores(), scores(few)
    here, there = (row(mohs.agree(*both)) for both in ((left, right), (right, left)))
    for name in ("tau_b", "tau_a", "spearman", "pearson", "overlap", "low", "high"):
        assert here[name] == pytest.approx(there[name])
    # The two easiest topics are swapped: 2/3 (0 + 1 + 1) - 1.
    assert here["tau_ap_left"] == there["tau_ap_right"] == pytest.approx(1 / 3)
    assert here["tau_ap_right"] == there["tau_ap_left"]


def test_files_are_called_after_themselves(tmp_path: Path) -> None:
    for name in ("r04", "c17"):
        made = mohs.read_scores(scores()).table
        made.write_csv(tmp_path / f"{name}.csv")
    found = row(mohs.agree(tmp_path / "r04.csv", tmp_path / "c17.csv"))
    assert (found["left"], found["right"]) == ("r04", "c17")


def test_sets_by_default() -> None:
    names = [side.name for side in mohs.agree(scores()).sides]
    assert names == ["all", "best:2", "worst:2", "random:2"]
    assert len(mohs.agree(scores()).pairs) == 6


def test_means_are_over_what_is_known() -> None:
    gap = scores()
    gap["a1"]["2"]["AP"] = float("nan")
    result = mohs.agree(gap, sets="all,tag:b")
    side = result.sides[0]
    np.testing.assert_allclose(side.difficulty, [[0.45, 0.5, 0.3, 0.2]])
    assert result.notes[0] == (
        "1 of 16 combinations of topic and system have no value: topic 2, system a1;"
        " means are over the others"
    )
    topics = result.tables()["topics"].to_polars()
    assert topics.filter(set="all")["systems"].to_list() == [4, 3, 4, 4]


def test_topics_are_described() -> None:
    result = mohs.agree(scores(), sets="all,tag:a", above=0.3)
    rows = result.tables()["topics"].to_polars().rows(named=True)
    assert [each["topic"] for each in rows[:4]] == ["1", "2", "3", "4"]
    first = rows[0]
    assert (first["set"], first["measure"], first["systems"]) == ("all", "AP", 4)
    assert first["mean"] == pytest.approx(0.45)
    assert first["median"] == pytest.approx(0.45)
    assert first["share"] == 0.5
    assert (first["share_low"], first["share_high"]) == (0, 1)
    # Of four, the second smallest is bounded from below, and the third from above.
    assert (first["median_low"], first["median_high"]) == (0.0, 0.9)
    assert 0 <= first["mean_low"] < 0.45 < first["mean_high"] <= 0.9
    assert rows[4]["set"] == "tag:a"
    assert rows[7]["mean_low"] == rows[7]["mean_high"] == 0.1


def test_a_topic_does_not_depend_on_the_others() -> None:
    whole = mohs.agree(scores(), sets="all,tag:a").tables()["topics"].to_polars()
    part = mohs.agree(scores(), sets="all,tag:a", where="topic=2,3")
    expected = whole.filter(whole["topic"].is_in(["2", "3"]))
    assert part.tables()["topics"].to_polars().equals(expected)


def test_a_pair_does_not_depend_on_the_others() -> None:
    many = mohs.agree(scores(), sets="all,random:3,best:2", repeat=20).table
    few = mohs.agree(scores(), sets="all,best:2", repeat=20).table
    assert many.filter(right="best:2", left="all").rows() == few.rows()


def test_settling_ends_with_all_systems() -> None:
    result = mohs.agree(scores(), settle=0.95, repeat=60)
    table = result.tables()["settling"].to_polars()
    assert table["systems"].to_list() == [1, 2, 3, 4]
    last = table.row(-1, named=True)
    assert [last[name] for name in ("mean", "low", "median", "high")] == [1, 1, 1, 1]
    assert (table["low"] <= table["median"]).all()
    assert result.tables()["settled"].to_polars().rows() == [("all", "AP", 0.95, 4, 4)]


def test_one_system_settles_where_all_agree() -> None:
    same = dict.fromkeys(("a", "b", "c"), (0.9, 0.5, 0.3, 0.1))
    result = mohs.agree(scores(same), settle=0.9, repeat=5)
    assert result.tables()["settled"].to_polars()["systems"].to_list() == [1]


def test_settling_is_that_of_every_choice() -> None:
    # Each of the four systems is the first one equally often.
    table = mohs.agree(scores(), settle=0.9, repeat=2000).tables()["settling"]
    from mohs.statistics.correlation import tau_b

    alone = np.array([*VALUES.values()])
    expected = tau_b(alone.mean(axis=0).round(12), alone).mean()
    assert table["mean"][0] == pytest.approx(expected, abs=0.05)


# options -> problem
REFUSED = {
    "no set": ({"sets": "bset:3"}, "no set of systems named 'bset'. Did you mean"),
    "one set": ({"sets": "all"}, "nothing to compare: name two --sets, a column"),
    "twice": ({"sets": "all,all"}, "--sets names all twice"),
    "no number": ({"sets": "all,best:x"}, "--sets best:x: expected best:N with N from"),
    "too many": ({"sets": "all,random:5"}, "--sets random:5: expected random:N with N"),
    "none": ({"sets": "all,worst:0"}, "--sets worst:0: expected worst:N with N"),
    "all of what": ({"sets": "all:3,best:1"}, "--sets all:3: nothing stands behind"),
    "no match": ({"sets": "all,tag:x"}, "--sets tag:x: no system is in this set"),
    "no pattern": ({"sets": "all,tag:("}, "--sets tag:(: no regular expression"),
    "no file": ({"sets": "all,file:gone"}, "gone: no such file"),
    "no column": ({"by": "copus"}, "no column named 'copus'"),
    "systems": ({"by": "system"}, "--by system: topics are what is compared"),
    "one level": ({"by": "measure"}, "--by measure: there is one level only, AP"),
    "measures": (
        {"by": "measure", "measure": "AP"},
        "--by measure compares measures, and --measure AP leaves one",
    ),
    "repeats": (
        {"repeat": 0},
        "repeat: expected a whole number from 1 to 2**62, found 0",
    ),
    "no score": ({"above": float("nan")}, "--above nan: expected a score"),
    "threshold": ({"settle": 2.0}, "--settle 2: expected a tau_b, from -1 to 1"),
    "no topics": (
        {"other": {"a": {"9": {"AP": 0.5}}}},
        "no two sides have a topic in common",
    ),
    "input twice": ({"source": "-", "other": "-"}, "standard input (-) can be read"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_means_nothing_is_refused(case: str) -> None:
    options, problem = REFUSED[case]
    with pytest.raises(MohsError) as found:
        mohs.agree(**{"source": scores(), **options})
    assert str(found.value).startswith(problem)


def test_a_single_common_topic_has_no_coefficient() -> None:
    found = row(mohs.agree(scores(), {"a": {"2": {"AP": 0.5}}}))
    assert found["topics"] == 1
    assert [found[name] for name in COLUMNS[5:]] == [None] * 9


def test_the_order_of_rows_changes_no_byte() -> None:
    from mohs.tables import FORMS

    table = frame(corpora())
    order = np.random.default_rng(0).permutation(len(table)).tolist()
    asked = {"by": "corpus", "sets": "all,best:2,random:3", "settle": 0.9, "repeat": 9}
    first, again = (mohs.agree(each, **asked) for each in (table, table[order]))
    for name, each in first.tables().items():
        assert FORMS[".csv"](each) == FORMS[".csv"](again.tables()[name])


def test_the_order_of_runs_changes_no_byte() -> None:
    qrels = {"1": {"d1": 1}, "2": {"d2": 1}, "3": {"d1": 1, "d3": 1}}
    rankings = {"s2": "d1 d2 d3", "s10": "d2 d3 d1", "s1": "d3 d1 d2"}
    runs = {
        name: {t: {d: -float(n) for n, d in enumerate(each.split())} for t in qrels}
        for name, each in rankings.items()
    }
    turned = dict(reversed(runs.items()))
    tables = [
        mohs.agree(mohs.evaluate(qrels, given, measures=["AP"]), repeat=5)
        for given in (runs, turned)
    ]
    assert tables[0].table.equals(tables[1].table)
    assert tables[0].sides[0].matrix.systems == ("s1", "s2", "s10")


def test_the_hash_seed_changes_no_byte(tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    frame(corpora()).write_csv(table)
    program = (
        "import mohs\nr = mohs.agree({!r}, by='corpus', sets='all,random:2')\n"
        "print(r.table.write_csv(), r.tables()['topics'].to_polars().write_csv())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program.format(str(table))],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": "src"},
            cwd=Path(__file__).parents[4],
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
    assert b"random:2 of FT" in found.pop()


def test_agree_is_at_the_front() -> None:
    assert mohs.agree is agree


def test_means_that_are_equal_on_paper_are_ties() -> None:
    # Topics 1 and 2 have the mean .2 over a and b, added up in other orders.
    table = [
        {"system": system, "topic": str(topic), "measure": "P@10", "value": value}
        for system, row in {"a": (0.1, 0.3, 0.9), "b": (0.3, 0.1, 0.7)}.items()
        for topic, value in enumerate(row)
    ] + [
        {"system": "c", "topic": str(topic), "measure": "P@10", "value": value}
        for topic, value in enumerate((0.2, 0.2, 0.8))
    ]
    found = row(mohs.agree(frame(table), sets="all, tag:[ab]"))
    assert found["tau_ap_left"] is None
    assert found["tau_a"] == pytest.approx(2 / 3)


def test_measures_of_two_tables_meet_in_any_spelling() -> None:
    tables = [
        frame(
            [
                {"system": "a", "topic": str(t), "measure": name, "value": t / (k + 3)}
                for k, name in enumerate(names)
                for t in range(4)
            ]
        )
        for names in (("map", "P_10"), ("AP", "P@10"))
    ]
    result = mohs.agree(*tables, by="measure", sets="all")
    assert [pair.tau_b for pair in result.pairs] == [1.0, 1.0]
