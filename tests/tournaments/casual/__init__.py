"""Casual games: people at tables."""
