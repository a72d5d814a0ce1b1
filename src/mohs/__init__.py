"""Find out which topics are hard, how sure we are, and why."""
