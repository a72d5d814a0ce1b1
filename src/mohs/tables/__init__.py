"""Labelled columns, and their way to data frames, files and screens."""

from __future__ import annotations

from mohs.tables.columns import Column, Factor, Integers, Table, natural_key
from mohs.tables.results import Result
from mohs.tables.stacking import stack
from mohs.tables.writers import FORMS, Form, form_of

__all__ = [
    "FORMS",
    "Column",
    "Factor",
    "Form",
    "Integers",
    "Result",
    "Table",
    "form_of",
    "natural_key",
    "stack",
]
