"""Analyses: one room for each question that is asked of runs, judgments and scores."""
