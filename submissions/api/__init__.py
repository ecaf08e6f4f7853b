"""The REST API of this app; what all addresses share is in `contest.api`."""
