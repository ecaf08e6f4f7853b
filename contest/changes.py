"""Tells that something was written that public pages may show and that no revision of a contest counts.

Copies of public pages (contest/shared_pages.py) name the revisions of the contests that they show, which count results
and announcements. Names, settings, notes and announcements of organisers are in many tables, and actions write them in
many ways. So every statement that this program executes is looked at: whatever inserts, updates or deletes in a table
that is not listed here moves one *stamp* in the cache when it is committed. A table that nobody has thought of only
makes pages render once more.

What other programs write (`psql`), or what is lost because the cache was away, is seen when copies end by themselves,
after ten seconds (contest/server/web/shared.py).
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from redis.exceptions import RedisError

from contest.server import complaints

KEY = "written"

COUNTED = frozenset(
    f"tournaments_{name}"
    for name in ("match", "matchseat", "record", "botlog", "table", "tally", "rating", "arrears", "earlierspan")
) | {"contest_ledgerentry"}
"""Results, which the revisions count. That a match is being played is seen when a copy ends by itself."""

NEVER_PUBLIC = frozenset(
    {
        *(
            "django_session",
            "django_admin_log",
            "contest_alarm",
            "contest_answeredrequest",
            "contest_act",
            "contest_follower",
        ),
        *("contest_apitoken", "contest_proof", "submissions_artifact", "submissions_checkgame"),
        *("account_emailaddress", "account_emailconfirmation", "mfa_authenticator"),
        *(f"tournaments_casual{name}" for name in ("game", "seat", "move")),
        *(f"tournaments_practice{name}" for name in ("order", "player", "game", "record")),
        *(f"tournaments_{name}" for name in ("newsitem", "newsitem_teams", "feedplace", "follow", "followsettings")),
        *(f"tournaments_{name}" for name in ("duty", "played", "laddertold", "rehearsal", "fromhere", "placement")),
        *(f"tournaments_{name}" for name in ("trial", "trialpair", "webhook", "delivery", "client")),
    }
)
"""Tables that no page shows to strangers, or only pages of which no copies are kept."""

UNSEEN_COLUMNS = {
    "contest_contest": frozenset({"last_number", "revision", "public_revision"}),
    "contest_membership": frozenset({"read_at", "mailed_until"}),
    "contest_user": frozenset({"last_login"}),
}
"""Columns that are written often, and that the public does not see or that are a revision."""

STATEMENT = re.compile(r'\s*(INSERT\s+(?:OR\s+\w+\s+)?INTO|UPDATE|DELETE\s+FROM)\s+"?(\w+)"?', re.IGNORECASE)
COLUMN = re.compile(r'(?:\bSET|,)\s*"?(\w+)"?\s*=', re.IGNORECASE)


@lru_cache(1024)
def is_seen(sql: str) -> bool:
    """Whether a statement may change what public pages show, beyond what revisions count."""
    found = STATEMENT.match(sql)
    if found is None or found[2] in COUNTED or found[2] in NEVER_PUBLIC or found[2].startswith(("django_", "auth_")):
        return False
    unseen = UNSEEN_COLUMNS.get(found[2])
    if unseen is None or found[1].upper() != "UPDATE":
        return True
    assigned = sql[found.end() :].rpartition("WHERE")[0] or sql[found.end() :]
    return not set(COLUMN.findall(assigned)) <= unseen


def watch(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """An execute wrapper of Django's connections."""
    result = execute(sql, params, many, context)
    if isinstance(sql, str) and is_seen(sql):
        connection = context["connection"]
        if not any(entry[1] is told for entry in connection.run_on_commit):
            transaction.on_commit(told, using=connection.alias)
            if connection.in_atomic_block:  # before all others: if one of them fails, those behind it are not called
                connection.run_on_commit.insert(0, connection.run_on_commit.pop())
    return result


def follow(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Look at all that this connection executes. A receiver of Django's signal `connection_created`."""
    if watch not in connection.execute_wrappers:
        connection.execute_wrappers.append(watch)


def told() -> None:
    """Something was written."""
    try:
        cache.set(KEY, secrets.token_hex(8), None)
    except RedisError as error:
        complaints.complain("public pages", f"public pages may show names ten seconds late: {error}")
    else:
        complaints.content("public pages")


def stamp() -> str:
    """Another one after every change. While the cache is away, another one each second."""
    try:
        found = cache.get(KEY)
        if found is None:  # a new cache: no copy from before counts
            cache.add(KEY, secrets.token_hex(8), None)
            found = cache.get(KEY)
        return str(found)
    except RedisError:
        return f"away.{int(time.time())}"


def read(keys: Collection[int]) -> Mapping[int, str]:
    found = stamp()
    return dict.fromkeys(keys, found)


READ = {"written": read}
