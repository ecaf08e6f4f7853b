"""A tournament in real time."""
