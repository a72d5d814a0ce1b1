"""Numbers about numbers: NumPy and SciPy only."""
