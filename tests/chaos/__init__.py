"""A contest that is played through faults: `python -m benchmarks.chaos` and test_chaos.py."""
