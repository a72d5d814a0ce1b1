"""Measures: how they are spelled, listed and computed."""
