"""What a researcher would write with pytrec_eval to get ``mohs evaluate -o`` its CSV.

``python bench/whole.py QRELS RUNS OUTPUT``: the peer of a whole process, so it loads
nothing but what it needs.
"""

# Importing pathlib would add to the time that is measured.
# ruff: noqa: PTH118, PTH123, PTH208

import csv
import gzip
import os
import sys

import pytrec_eval

MEASURES = {"map": "AP", "ndcg": "nDCG", "ndcg_cut_20": "nDCG@20", "P_10": "P@10"}


def main() -> None:
    """Evaluate a folder of runs into a table of scores."""
    qrels, folder, output = sys.argv[1:]
    with open(qrels) as file:
        judgments = pytrec_eval.parse_qrel(file)
    asked = {"map", "ndcg", "ndcg_cut.20", "P.10"}
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, asked)
    with open(output, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["system", "topic", "measure", "value"])
        for name in sorted(os.listdir(folder)):
            unpack = gzip.open if name.endswith(".gz") else open
            with unpack(os.path.join(folder, name), "rt") as lines:
                run = pytrec_eval.parse_run(lines)
            system = name.removesuffix(".gz").removesuffix(".run")
            for topic, values in evaluator.evaluate(run).items():
                for measure, value in values.items():
                    writer.writerow([system, topic, MEASURES[measure], value])


main()
