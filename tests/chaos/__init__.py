"""A contest that is played through faults: `python -m tests.chaos` and test_chaos.py."""
