"""Measures: how they are spelled, listed and computed."""

from __future__ import annotations

from mohs.measures.calculation import average, calculate, floor
from mohs.measures.catalogue import MEASURES
from mohs.measures.restriction import at_depth, judged_only, mirror
from mohs.measures.spelling import Measure, canonical, parse, pinned, same_measure
from mohs.measures.trec_eval import trec_eval_name, trec_eval_text

__all__ = [
    "MEASURES",
    "Measure",
    "at_depth",
    "average",
    "calculate",
    "canonical",
    "floor",
    "judged_only",
    "mirror",
    "parse",
    "pinned",
    "same_measure",
    "trec_eval_name",
    "trec_eval_text",
]
