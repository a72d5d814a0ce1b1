"""Measures beside ranx [1]_, whose values stand here, since it brings a compiler along.

ranx 0.3.21 got the same dicts, its ``Qrels`` and ``Run`` made of them. All scores of a
ranking are distinct, because it breaks ties in another way.

References
----------
.. [1] Bassani, "ranx: a blazing-fast Python library for ranking evaluation and
   comparison", ECIR 2022.
"""

import pytest

import mohs

# Twelve decimals were kept.
TOLERANCE = 1e-11

TOPICS = ("1", "2", "3")
QRELS = {
    topic: {f"d{i}": (7 * i + 3 * t) % 11 % 4 for i in range(12)}
    for t, topic in enumerate(TOPICS)
}
RUNS = {
    system: {
        topic: {f"d{i}": (5 * i + 3 * t + 7 * s) % 13 + i / 100 for i in range(s, 14)}
        for t, topic in enumerate(TOPICS)
    }
    for s, system in enumerate("abc")
}

# Its name and ours; on three topics by system a, by b, and by c.
VALUES = [
    (
        "map",
        "AP",
        [
            0.709753787879,
            0.535199060199,
            0.800384800385,
            0.787202380952,
            0.562932746266,
            0.52956950457,
            0.509623015873,
            0.450953984287,
            0.47132034632,
        ],
    ),
    (
        "map@5",
        "AP@5",
        [
            0.302083333333,
            0.081481481481,
            0.394444444444,
            0.44375,
            0.233333333333,
            0.12962962963,
            0.220833333333,
            0.177777777778,
            0.212962962963,
        ],
    ),
    (
        "ndcg",
        "nDCG",
        [
            0.787384863901,
            0.58490415126,
            0.90561102787,
            0.852989396905,
            0.641970470215,
            0.589415682832,
            0.577934380266,
            0.480974810212,
            0.557739675574,
        ],
    ),
    (
        "ndcg@5",
        "nDCG@5",
        [
            0.522151425294,
            0.158660903376,
            0.731957584275,
            0.648144819419,
            0.447347157502,
            0.234045574402,
            0.420637462238,
            0.276807026709,
            0.405678911806,
        ],
    ),
    (
        "ndcg_burges@5",
        "nDCG(dcg='exp-log2')@5",
        [
            0.450948864579,
            0.09560419185,
            0.68785252477,
            0.605748835868,
            0.353423464159,
            0.155688350373,
            0.395408197726,
            0.217027753303,
            0.351844053594,
        ],
    ),
    (
        "dcg@5",
        "DCG@5",
        [
            3.930676558073,
            1.273705614469,
            5.510065430524,
            4.879135676953,
            3.591234979777,
            1.761859507143,
            3.166494875183,
            2.222164733348,
            3.053889181363,
        ],
    ),
    ("mrr", "RR", [1.0, 0.333333333333, 1.0, 1.0, 1.0, 0.5, 0.5, 0.5, 0.5]),
    ("precision@5", "P@5", [0.6, 0.4, 0.8, 0.8, 0.6, 0.4, 0.6, 0.6, 0.6]),
    (
        "recall@5",
        "R@5",
        [
            0.375,
            0.222222222222,
            0.444444444444,
            0.5,
            0.333333333333,
            0.222222222222,
            0.375,
            0.333333333333,
            0.333333333333,
        ],
    ),
    ("hit_rate@1", "Success@1", [1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
    (
        "r-precision",
        "Rprec",
        [
            0.625,
            0.555555555556,
            0.666666666667,
            0.625,
            0.555555555556,
            0.555555555556,
            0.5,
            0.555555555556,
            0.555555555556,
        ],
    ),
    (
        "bpref",
        "Bpref",
        [
            0.59375,
            0.222222222222,
            0.592592592593,
            0.71875,
            0.37037037037,
            0.259259259259,
            0.4375,
            0.444444444444,
            0.296296296296,
        ],
    ),
]


@pytest.mark.parametrize(
    ("measure", "values"), [each[1:] for each in VALUES], ids=[v[0] for v in VALUES]
)
def test_values_are_those_of_ranx(measure: str, values: list[float]) -> None:
    table = mohs.evaluate(QRELS, RUNS, measures=[measure]).table
    found = table.sort("system", "topic")["value"].to_list()
    assert found == pytest.approx(values, rel=0, abs=TOLERANCE)
