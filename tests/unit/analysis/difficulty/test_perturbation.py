import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mohs.analysis.difficulty.opinion import Opinion
from mohs.analysis.difficulty.perturbation.changes import Plan, changes
from mohs.analysis.difficulty.perturbation.steadiness import (
    RATIO,
    Said,
    Stability,
    ask,
    compare,
    stability_of,
)
from mohs.analysis.difficulty.perturbation.worlds import (
    World,
    with_depth,
    with_fodder,
    with_gains,
    with_grades,
)
from mohs.analysis.difficulty.pool import Problem, Rules, problem_of
from mohs.analysis.difficulty.question import Question
from mohs.analysis.difficulty.strategies import chosen, evidence_of
from mohs.rankings import Reading, judge, rank
from mohs.trec.inputs import find_judgments, find_runs

NAN = np.nan
SYSTEMS, TOPICS, DEPTH = 12, 9, 6
Runs = dict[str, dict[str, dict[str, float]]]
Qrels = dict[str, dict[str, int]]


def collection(seed: int = 0) -> tuple[Qrels, Runs]:
    """Draw judgments and runs; better systems and easier topics come last."""
    draws = np.random.default_rng(seed)
    names = [f"d{number:02}" for number in range(30)]
    qrels: Qrels = {}
    runs: Runs = {f"s{number:02}": {} for number in range(SYSTEMS)}
    for topic in map(str, range(401, 401 + TOPICS)):
        grades = draws.integers(0, 3, 30) * (draws.random(30) < 0.4)
        grades[:2] = 2, 0
        kept = draws.random(30) < 0.9
        qrels[topic] = {
            name: int(grade)
            for name, grade, judged in zip(names, grades, kept, strict=True)
            if judged
        }
        for number, lists in enumerate(runs.values()):
            beliefs = grades * (number + int(topic) - 400) / 10 + draws.normal(size=30)
            lists[topic] = dict(zip(names, beliefs.tolist(), strict=True))
    return qrels, runs


def problem(qrels: Qrels, runs: Runs, **rules) -> Problem:  # noqa: ANN003
    reading = Reading()
    judgments = judge(find_judgments(qrels), reading)
    found, _ = find_runs(runs)
    ranked = rank(judgments, found, reading, top=100)
    return problem_of(ranked, Rules(**{"depth": DEPTH, **rules}))


def world(posed: Problem) -> World:
    return World(posed, evidence_of(posed, depth=100))


def ratios(changed: World) -> list[float]:
    return ask(changed, Question(), [])[RATIO].opinion.values.tolist()


def values(changed: World, name: str) -> np.ndarray:
    return ask(changed, Question(), chosen(name))[name].opinion.values


def row(result: Stability, change: str, strategy: str, pool: str | None = None) -> dict:
    (found,) = [
        found
        for found in result.table.to_dicts()
        if (found["change"], found["strategy"], found["pool"])
        == (change, strategy, pool)
    ]
    return found


@pytest.fixture(scope="module")
def known() -> tuple[Qrels, Runs]:
    return collection()


@pytest.fixture(scope="module")
def posed(known: tuple[Qrels, Runs]) -> Problem:
    return problem(*known)


@pytest.fixture(scope="module")
def result(posed: Problem) -> Stability:
    teams = {f"s{number:02}": f"team {number // 4}" for number in range(SYSTEMS)}
    return stability_of(posed, Question(teams=teams), repeats=15)


@pytest.mark.parametrize("name", ["carterette2009", "perez2010", "aslam2007"])
def test_fewer_systems_are_as_if_read_without(
    known: tuple[Qrels, Runs], posed: Problem, name: str
) -> None:
    qrels, runs = known
    kept = [0, 3, 4, 10]
    fewer = {f"s{number:02}": runs[f"s{number:02}"] for number in kept}
    expected = world(problem(qrels, fewer))
    found = world(posed).of_systems(kept, "formed", "these")
    assert found.case == "these"
    assert ratios(found) == ratios(expected)
    np.testing.assert_array_equal(values(found, name), values(expected, name))


def test_with_fixed_pools_only_the_winners_are_counted_anew(posed: Problem) -> None:
    def won(changed: World) -> np.ndarray:
        return np.array(ratios(changed)) * len(changed.problem.systems)

    whole = world(posed)
    without = won(whole.of_systems(range(1, SYSTEMS), "fixed"))
    alone = won(whole.of_systems([0], "fixed"))
    np.testing.assert_allclose(without + alone, won(whole))
    assert whole.of_systems([0], "fixed").evidence is None


@pytest.mark.parametrize("unjudged", ["nonrelevant", "neutral", "condense"])
def test_junk_is_what_systems_with_fresh_documents_of_no_relevance_are(
    known: tuple[Qrels, Runs], unjudged: str
) -> None:
    qrels, runs = known
    fresh = {f"j{number}": -float(number) for number in range(30)}
    junk = {
        f"z{which}": {
            topic: {f"{which}{name}": score for name, score in fresh.items()}
            for topic in qrels
        }
        for which in "ab"
    }
    judged = {
        topic: {**grades, **{f"{which}{name}": 0 for which in "ab" for name in fresh}}
        for topic, grades in qrels.items()
    }
    expected = world(problem(judged, runs | junk, unjudged=unjudged))
    whole = world(problem(qrels, runs, unjudged=unjudged))
    found = whole.with_junk(2, "formed")
    assert ratios(found) == ratios(expected)
    assert ratios(found) != ratios(whole)
    for name in ("eguchi2002", "carterette2009"):
        np.testing.assert_array_equal(values(found, name), values(expected, name))


def test_junk_is_no_deeper_than_lists_are() -> None:
    whole, beyond = (problem(*collection(), depth=depth) for depth in (30, 10**9))
    for pool in ("formed", "fixed"):
        joined = [world(each).with_junk(2, pool) for each in (whole, beyond)]
        assert ratios(joined[0]) == ratios(joined[1])


def test_junk_with_fixed_pools_only_adds_losers(posed: Problem) -> None:
    whole = world(posed)
    found = whole.with_junk(3, "fixed")
    assert ratios(found) == pytest.approx(
        [each * SYSTEMS / (SYSTEMS + 3) for each in ratios(whole)]
    )
    assert found.evidence is None


def test_fodder_can_only_make_topics_look_easier(posed: Problem) -> None:
    before, after = ratios(world(posed)), ratios(with_fodder(world(posed), 3))
    assert all(new >= old for old, new in zip(before, after, strict=True))
    assert sum(after) > sum(before)


def test_junk_does_not_change_the_order_by_scores(posed: Problem) -> None:
    before = values(world(posed), "shtok2012")
    after = values(world(posed).with_junk(2, "formed"), "shtok2012")
    assert np.argsort(before).tolist() == np.argsort(after).tolist()


def test_divergence_grows_with_junk(posed: Problem) -> None:
    before = values(world(posed), "aslam2007")
    after = values(world(posed).with_junk(1, "formed"), "aslam2007")
    assert (after > before).all()


def test_changed_grades_are_as_if_read(known: tuple[Qrels, Runs]) -> None:
    qrels, runs = known
    raised = {
        topic: {name: grade + 1 for name, grade in grades.items()}
        for topic, grades in qrels.items()
    }
    expected = world(problem(raised, runs))
    whole = world(problem(qrels, runs))
    found = with_grades(whole, lambda grades: grades + 1, 100, "AP")
    assert ratios(found) == ratios(expected)
    for name in ("carterette2009", "shtok2012"):
        np.testing.assert_array_equal(values(found, name), values(expected, name))


def test_scale_never_matters_and_shift_only_where_lists_are_short(
    known: tuple[Qrels, Runs],
) -> None:
    qrels, runs = known
    whole = world(problem(qrels, runs))
    assert ratios(with_gains(whole, 1.0)) == ratios(whole)
    doubled = with_grades(whole, lambda grades: grades * 2, 100, "AP")
    assert ratios(doubled) == ratios(whole)
    short = {
        name: {
            topic: dict(sorted(list_.items())[: 2 if name < "s06" else 30])
            for topic, list_ in lists.items()
        }
        for name, lists in runs.items()
    }
    cut = world(problem(qrels, short))
    assert ratios(with_gains(cut, 1.0)) != ratios(cut)


def test_another_depth_is_as_if_asked_for(known: tuple[Qrels, Runs]) -> None:
    whole = world(problem(*known))
    assert ratios(with_depth(whole, 3)) == ratios(world(problem(*known, depth=3)))
    assert ratios(with_depth(whole, 10)) == ratios(world(problem(*known, depth=10)))
    assert with_depth(whole, 3).evidence.depth == 3
    scored = replace(whole, problem=problem(*known, cutoff=5))
    cut = problem(*known, depth=3, cutoff=3)
    assert ratios(with_depth(scored, 3)) == ratios(world(cut))


def test_the_ratio_of_a_topic_knows_no_other_topics(result: Stability) -> None:
    found = row(result, "half of the topics", RATIO)
    assert (found["tau_b"], found["moved"], found["largest"]) == (1.0, 0.0, 0.0)
    assert (found["worlds"], found["topics"]) == (15, 5)
    assert found["largest_topic"] is None
    assert row(result, "half of the topics", "carterette2009")["moved"] > 0


def test_every_system_and_team_is_left_out_once(result: Stability) -> None:
    found = row(result, "without one system", RATIO, "formed")
    assert found["worlds"] == SYSTEMS
    assert found["largest_case"].startswith("s")
    assert found["low"] <= found["tau_b"] <= found["high"] <= 1
    teams = row(result, "without one team", "carterette2009")
    assert (teams["worlds"], teams["largest_case"]) == (3, "team 0")


def test_leaving_out_one_system_moves_a_ratio_as_on_paper(
    result: Stability, posed: Problem
) -> None:
    # Of w winners among n, one of the losers or one of the winners is missing.
    n = SYSTEMS
    changes_ = [
        change
        for ratio in ratios(world(posed))
        for wins in [round(ratio * n)]
        for change in [
            abs((wins - 1) / (n - 1) - ratio) if wins else 0,
            abs(wins / (n - 1) - ratio) if wins < n else 0,
        ]
    ]
    found = row(result, "without one system", RATIO, "fixed")
    assert found["largest"] == pytest.approx(max(changes_))


def test_the_best_are_those_of_the_highest_means(posed: Problem) -> None:
    whole = world(posed)
    plan = Plan(repeats=1, seed=0, measure="AP", depth=100, teams={})
    names = {
        change.name: next(change.worlds()).evidence.systems
        for change in changes(whole, plan)
        if change.pool == "formed" and "quarter" in change.name
    }
    best_first = sorted(
        zip(-whole.evidence.values.mean(axis=1), posed.systems, strict=True)
    )
    ordered = [name for _, name in best_first]
    best, worst = names.values()
    assert sorted(best) == sorted(ordered[3:])
    assert sorted(worst) == sorted(ordered[:-3])


def test_a_baseline_is_never_left_out(posed: Problem) -> None:
    found = stability_of(
        posed, Question(baseline="s05"), strategies="eguchi2002", repeats=10
    )
    assert row(found, "without one system", RATIO, "formed")["worlds"] == SYSTEMS - 1


def test_draws_are_keyed_by_the_seed_and_the_repetition(posed: Problem) -> None:
    def halves(seed: int, repeats: int) -> list[tuple[str, ...]]:
        plan = Plan(repeats=repeats, seed=seed, measure="AP", depth=0, teams={})
        (change,) = [
            each
            for each in changes(world(posed), plan)
            if (each.name, each.pool) == ("half of the systems", "formed")
        ]
        return [each.problem.systems for each in change.worlds()]

    assert halves(0, 8)[:3] == halves(0, 3)
    assert halves(0, 3) != halves(1, 3)
    assert {len(each) for each in halves(0, 8)} == {6}
    assert len(set(halves(0, 8))) > 4


def test_other_judgments_are_compared_on_shared_topics(
    known: tuple[Qrels, Runs], posed: Problem
) -> None:
    qrels, runs = known
    same = stability_of(posed, repeats=1, other=posed)
    for strategy in (RATIO, "carterette2009", "aslam2007"):
        assert row(same, "other judgments", strategy)["largest"] == 0.0
    stricter = {
        topic: {name: max(grade - 1, 0) for name, grade in grades.items()}
        for topic, grades in [*qrels.items()][:6]
    }
    found = stability_of(posed, repeats=1, other=problem(stricter, runs))
    shift = row(found, "other judgments", RATIO)
    assert shift["topics"] == 6
    assert -1 <= shift["tau_b"] < 1


def test_excluded_topics_and_missing_classes_are_no_changes() -> None:
    def said(values: list, classes: list) -> Said:
        opinion = Opinion("x", np.array(values), tuple(classes), high_is_easy=True)
        return Said(("1", "2", "3"), opinion)

    before = said([0.1, NAN, 0.7], ["hard", None, "easy"])
    shift = compare(before, said([0.1, NAN, 0.6], ["hard", None, "moderately easy"]))
    assert (shift.tau, shift.moved, shift.topic) == (1.0, 0.5, "3")
    unclassed = compare(before, said([0.1, 0.2, 0.7], [None] * 3))
    assert np.isnan(unclassed.moved)
    assert (unclassed.largest, unclassed.topic) == (0.0, None)
    gone = compare(before, said([NAN, 0.5, 0.7], [None, "easy", "easy"]))
    assert gone.moved == pytest.approx(2 / 3)
    assert np.isnan(gone.tau)


# The ratio under three junk systems: τ_b, topics in another class, out of 50.
FOUND = {
    ("trec8", "error", "formed"): (0.926, 3),
    ("trec8", "error", "fixed"): (1.0, 4),
    ("ehealth2018", "first", "formed"): (0.354, 20),
    ("ehealth2018", "first", "fixed"): (1.0, 11),
}


@pytest.mark.parametrize(("name", "duplicates", "pool"), FOUND)
def test_weak_systems_move_real_topics(name: str, duplicates: str, pool: str) -> None:
    data = os.environ.get("MOHS_DATA")
    if not data:
        pytest.skip("MOHS_DATA does not name the folder of real data")
    reading = Reading(duplicates=duplicates)
    judgments = judge(find_judgments(Path(data) / name / "qrels.txt.gz"), reading)
    found, _ = find_runs(Path(data) / name / "runs")
    real = problem_of(rank(judgments, found, reading, top=20), Rules())
    whole = World(real, None)
    before = ask(whole, Question(), [])[RATIO]
    shift = compare(before, ask(whole.with_junk(3, pool), Question(), [])[RATIO])
    tau, moved = FOUND[name, duplicates, pool]
    assert shift.tau == pytest.approx(tau, abs=0.001)
    assert shift.moved * 50 == pytest.approx(moved)
