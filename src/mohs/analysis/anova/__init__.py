"""Analysis of variance: how much of the scores each factor explains."""
