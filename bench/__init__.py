"""Benchmarks: every figure is a ratio against another program, in the same run.

The names of the figures never change, so that results of different days can be laid
side by side. ``make bench`` runs them all; ``make bench ARGS="--help"`` tells the
options.
"""
