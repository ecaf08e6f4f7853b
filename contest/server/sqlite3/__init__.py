"""Django's backend for SQLite, which frees the write lock of stopped processes (ENGINE `contest.server.sqlite3`)."""
