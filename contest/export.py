"""A contest's settings, teams, messages and audit log as values to write to files for its organisers.

Secrets are left out: joining codes, the spectator link's code, and everything about an account but names and address.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import Any, TypeVar

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models

from contest.models import Contest, User
from contest.names import FoldedField

Thing = TypeVar("Thing", bound=models.Model)

SECRET = {"spectator_code", "code", "token"}


def row(thing: models.Model, but: Collection[str] = ()) -> dict[str, Any]:
    """A database row by the names of its columns, without secrets and without the columns in `but`."""
    columns = (field.attname for field in thing._meta.concrete_fields if not isinstance(field, FoldedField))
    deferred = thing.get_deferred_fields()
    return {name: getattr(thing, name) for name in columns if name not in SECRET | deferred and name not in but}


def batches(found: models.QuerySet[Thing], size: int = 200) -> Iterator[list[Thing]]:
    """Rows by id in small batches, so that memory stays small and no query stays open."""
    last, more = 0, True
    while more:
        batch = list(found.filter(pk__gt=last).order_by("pk")[:size])
        yield batch
        more = len(batch) == size
        last = batch[-1].pk if batch else last


def rows(found: models.QuerySet[Thing], size: int = 200) -> Iterator[Thing]:
    """The same rows, one by one."""
    return chain.from_iterable(batches(found, size))


def dumps(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)


def listed(values: Iterable[object]) -> Iterator[str]:
    """A JSON list in pieces."""
    between = "[\n"
    for value in values:
        yield between + json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
        between = ",\n"
    yield "[]\n" if between == "[\n" else "\n]\n"


def person(user: User | None) -> dict[str, str] | None:
    """A person as shown to people with a role."""
    return {"user": str(user), "name": user.get_full_name(), "email": user.email} if user else None


def settings(contest: Contest) -> dict[str, Any]:
    """All settings, the game's options in full, and everyone with a role."""
    roles = contest.roles.select_related("user").order_by("pk")
    return {
        **row(contest, but=("revision", "public_revision")),
        "full_options": contest.full_options(),
        "roles": [{"role": role.role, **(person(role.user) or {})} for role in roles],
    }


def teams(contest: Contest) -> Iterator[dict[str, Any]]:
    for team in contest.teams.in_seed_order().prefetch_related("memberships__user"):
        members = [
            {**(person(member.user) or {}), "captain": member.is_captain, "joined_at": member.joined_at}
            for member in team.memberships.all()
        ]
        yield {**row(team, but=("contest_id",)), "members": members}


def team_rows(contest: Contest) -> Iterator[list[object]]:
    """Every team with its members, for a spreadsheet."""
    yield ["seed", "team", "school", "state", "reason", "members", "e-mail", "entered"]
    for team in contest.teams.in_seed_order().prefetch_related("memberships__user"):
        people = [membership.user for membership in team.memberships.all()]
        yield [
            *(team.seed, team.name, team.school, team.get_state_display(), team.state_reason),
            "; ".join(user.called for user in people),
            "; ".join(user.email for user in people),
            team.created_at.isoformat(),
        ]


def announcements(contest: Contest) -> Iterator[dict[str, Any]]:
    for it in contest.announcements.select_related("posted_by"):
        yield {**row(it, but=("contest_id", "posted_by_id")), "posted_by": str(it.posted_by or "")}


def questions(contest: Contest) -> Iterator[dict[str, Any]]:
    for it in contest.questions.select_related("team", "asked_by", "answered_by"):
        people = {"asked_by": str(it.asked_by or ""), "answered_by": str(it.answered_by or "")}
        columns = row(it, but=("contest_id", "asked_by_id", "answered_by_id", "entry_id"))
        yield {**columns, "team": str(it.team), **people}


def trail_rows(contest: Contest) -> Iterator[list[object]]:
    """The whole audit log, oldest first, for a spreadsheet."""
    yield ["at", "who", "what", "to what", "why", "data"]
    for act in rows(contest.acts.select_related("user"), 1000):
        data = json.dumps(act.data, ensure_ascii=False) if act.data else ""
        yield [act.at.isoformat(), str(act.user or "the portal"), act.verb, act.target, act.reason, data]
