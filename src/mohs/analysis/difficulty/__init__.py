"""How hard is each topic: the share of systems that beat a random re-ranker."""
