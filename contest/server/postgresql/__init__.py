"""Django's backend for PostgreSQL, whose answers are not awaited for ever (ENGINE `contest.server.postgresql`)."""
