"""The release of this code. CHANGELOG.md says what is in it, docs/operations/upgrade.md how to upgrade.

`major.minor.patch`: a patch never changes the database, a minor release may, and a major one says in CHANGELOG.md what
else an operator must do. Standard library only, because the heartbeats of workers report it.
"""

RELEASE = "1.0.0"
