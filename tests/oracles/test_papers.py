"""The papers on public data: what must match matches, and the rest says why not."""

import os
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from mohs.papers import Reproduction, reproduce

# Mean best tau of noise, 25 topics and 432 pairs, by number of formulations.
NOISE = {1: 0.417, 3: 0.63, 5: 0.77, 10: 0.96, 15: 1.00}


@pytest.fixture(scope="module")
def data() -> Path:
    data = os.environ.get("MOHS_DATA")
    if not data:
        pytest.skip("MOHS_DATA does not name the folder of real data")
    return Path(data)


@pytest.fixture(scope="module")
def c21(data: Path) -> Reproduction:
    return reproduce("c21", data=data)


@pytest.fixture(scope="module")
def z19(data: Path) -> Reproduction:
    return reproduce("z19", data=data)


def shown(result: Reproduction, title: str) -> pl.DataFrame:
    [found] = [each for each in result.exhibits if each.title.startswith(title)]
    assert found.table is not None
    return found.table.to_polars()


def verdicts(result: Reproduction, place: str) -> list[str]:
    return [each.verdict for each in result.comparisons if each.place == place]


def test_comparisons_of_c21(c21: Reproduction) -> None:
    assert verdicts(c21, "Table 2") == ["matches"] * 10 + ["does not hold"]
    assert verdicts(c21, "Table 1") == ["does not hold"] * 2 + ["holds"] * 2
    place = "Permutation experiment"
    assert verdicts(c21, place) == ["not testable", "holds", "does not hold"]


def test_noise_and_what_was_printed(c21: Reproduction) -> None:
    noise = shown(c21, "What noise reaches")
    low = noise.filter(pl.col("rule") == "greedy-low")
    for size, tau in NOISE.items():
        [found] = low.filter(formulations=size)["mean_best"]
        assert found == pytest.approx(tau, abs=0.01)
    [first] = noise.filter(rule="greedy-first")["mean_best"]
    assert first == pytest.approx(0.65, abs=0.01)
    assert noise["null_mean_best"].to_numpy() == pytest.approx(
        noise["mean_best"].to_numpy(), abs=0.01
    )
    printed = shown(c21, "What the printed effects predict")
    [found] = printed.filter(rule="greedy-low")["mean_best"]
    assert found == pytest.approx(0.89, abs=0.03)
    rest = printed.filter(pl.col("rule") != "greedy-first")
    assert (rest["null_mean_best"] > 0.99).all()


def test_query_fields_nested_and_crossed(c21: Reproduction) -> None:
    """What the nested model calls formulation is the crossed one's two terms."""
    nested = shown(c21, "Query fields in the formulations' place")
    crossed = shown(c21, "Query fields (grid of points), crossed")
    for corpus in ("T07", "T08", "T09", "T10"):
        [within] = nested.filter(corpus=corpus, term="topic:formulation")["ss"]
        rows = crossed.filter(corpus=corpus)
        parts = rows.filter(pl.col("term").is_in(["formulation", "topic:formulation"]))
        assert parts["df"].to_list() == [2, 98]
        assert parts["ss"].sum() == pytest.approx(within)
        [topic] = rows.filter(term="topic")["df"]
        assert topic == 49


def test_corpus_fixed_and_random_on_the_generated_collection(
    c21: Reproduction,
) -> None:
    found = shown(c21, "The same model on a generated collection, topics and")
    [row] = found.filter(term="corpus").to_dicts()
    assert row["p"] < 1e-10
    assert row["error_term"] == "topic:corpus"
    assert row["p_random"] > 0.05


def test_agreement_on_trec_8(z19: Reproduction) -> None:
    found = shown(z19, "The printed τ beside")
    assert found["set"].to_list() == ["all", "best:30", "worst:30", "random:30"]
    taus = found["official against grid, TREC-8"].to_numpy()
    assert taus[:3] == pytest.approx([0.7943, 0.6718, 0.6082], abs=5e-5)
    assert taus[3] == pytest.approx(0.785, abs=0.02)
    assert found["R04-C17, official"].to_list() == [0.48, 0.51, 0.43, 0.46]


def test_what_cannot_be_tested_says_why(z19: Reproduction) -> None:
    found = [each for each in z19.comparisons if each.verdict == "not testable"]
    assert len(found) == 16
    assert all("not" in each.reason or "TREC" in each.reason for each in found)
    assert any("z19/official.csv" in note for note in z19.notes)


def test_sub_corpora(z19: Reproduction) -> None:
    assert verdicts(z19, "Figure 3") == ["does not hold"] * 2
    found = shown(z19, "Sub-corpora of TREC-8").select("left", "right", "tau_b")
    taus = {f"{left}-{right}": tau for left, right, tau in found.rows()}
    assert taus["FT-LA"] == pytest.approx(0.5074, abs=5e-5)
    assert taus["FBIS-FT"] == pytest.approx(0.4820, abs=5e-5)


def test_exhibits_have_the_papers_numbers(z19: Reproduction, c21: Reproduction) -> None:
    numbers = list(dict.fromkeys(each.number for each in z19.exhibits))
    assert sorted(numbers) == [
        *(f"Figure {number}" for number in range(1, 6)),
        *(f"Table {number}" for number in range(1, 6)),
    ]
    numbers = list(dict.fromkeys(each.number for each in c21.exhibits))
    assert numbers == ["Table 1", "Table 2", "Permutation experiment"]


def test_stemmers_matched_and_not(z19: Reproduction) -> None:
    pairs = shown(z19, "Stemmers, matched pairs")
    whole = shown(z19, "Stemmers, all systems")
    assert pairs["level"].to_list() == ["krovetz", "lovins", "porter", "wkporter"]
    # Without expansion in the grid the two ways have the same means.
    assert pairs["mean"].to_numpy() == pytest.approx(whole["mean"].to_numpy())
    assert pairs["mean"][2] == pytest.approx(0.0386, abs=5e-5)


def test_components_are_aliased_after_system(z19: Reproduction) -> None:
    found = shown(z19, "Model 2 as the equation has it")
    aliased = found.filter(df=0)
    assert aliased["term"].to_list() == ["ir_model", "stemmer", "qe"]
    assert aliased["f"].to_list() == [None] * 3


def test_without_data_the_printed_tables_are_still_recomputed() -> None:
    found = reproduce("z19", download=False)
    numbers = {each.number for each in found.exhibits}
    assert numbers == {"Figure 5", "Table 4", "Table 5"}
    assert verdicts(found, "Figure 3") == ["not testable"] * 2
    assert "not testable" not in verdicts(found, "Table 4")
    missing = [note.split()[0] for note in found.notes if " is missing: " in note]
    assert len(missing) == 6
    assert "grid-of-points/sigir2016.parquet" in missing


def test_own_systems_and_grid(tmp_path: Path) -> None:
    """Collections of a person's own are compared with what is printed."""
    (tmp_path / "z19").mkdir()
    random = np.random.default_rng(0)
    topics = [str(topic) for topic in range(301, 321)]
    hard = random.random(len(topics))
    for kind, count in (("official", 60), ("grid", 62)):
        rows = [
            {
                "collection": collection,
                "topic": topic,
                "system": f"{kind}{system}",
                "ir_model": f"m{system // 4}",
                "stemmer": "none" if system % 2 else "porter",
                "qe": "none" if system // 2 % 2 else "Bo1",
                "value": float(level + random.normal(0, 0.3)),
            }
            for collection in ("R04", "C17", "TREC6")
            for topic, level in zip(topics, hard, strict=True)
            for system in range(count)
        ]
        frame = pl.DataFrame(rows)
        if kind == "official":
            frame = frame.drop("ir_model", "stemmer", "qe")
        frame.write_csv(tmp_path / "z19" / f"{kind}.csv")
    found = reproduce("z19", data=tmp_path, download=False)
    taus = [each for each in found.comparisons if each.place == "Figures 1 and 2"]
    assert len(taus) == 16
    assert all(each.computed is not None and each.computed > 0.5 for each in taus)
    titles = {each.title for each in found.exhibits}
    assert "Model 1 on your official systems" in titles
    assert "Model 2 as the equation has it, your grid" in titles
    assert "Query expansion, all systems, C17" in titles
    assert any("qrels" in note for note in found.notes)
