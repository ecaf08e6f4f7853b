"""What the portal keeps about a person: to hand it over, and to forget it when the account is deleted.

`settings.PERSONAL_DATA` lists the parts. Each app answers for its own rows, so nothing here knows them.
"""

from __future__ import annotations

import tempfile
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import IO, Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone
from django.utils.module_loading import import_string

from contest.export import dumps
from contest.models import Act, Announcement, AnsweredRequest, Question, User
from contest.models.people import FORMER

IN_MEMORY = 5_000_000
README = """These files hold what Kibitz keeps about you.

about.json says when they were made. Each other .json file is one kind of data, and the folder uploads holds the
programs that you uploaded. Results and records of matches belong to your teams; download them on the pages of the
contests.
"""


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of personal data. `export_of` returns JSON values, `forget` deletes what need not stay, and `files`
    yields the names and contents of further files."""

    name: str
    export_of: Callable[[User], Any]
    forget: Callable[[User], object]
    files: Callable[[User], Iterable[tuple[str, bytes]]] = lambda user: ()


@cache
def parts() -> tuple[Part, ...]:
    found: list[Part] = []
    for path in settings.PERSONAL_DATA:
        found.extend(import_string(path))
    return tuple(found)


def archive_of(user: User) -> IO[bytes]:
    """A ZIP file of everything, at its beginning."""
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  whoever sends it closes it
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README)
        archive.writestr("about.json", dumps({"username": user.username, "made_at": timezone.now()}))
        for part in parts():
            archive.writestr(f"{part.name}.json", dumps(part.export_of(user)))
            for name, content in part.files(user):
                archive.writestr(name, content)
    file.seek(0)
    return file


def forget(user: User) -> None:
    """Delete everything that need not stay. Call it in a transaction."""
    for part in parts():
        part.forget(user)


# The parts of this app ------------------------------------------------------------------------------------------------

PROFILE = (
    *("username", "first_name", "last_name", "email", "date_joined", "last_login", "mail_news", "mail_matches"),
    *("is_public", "shows_casual"),
)


def _profile(user: User) -> dict[str, Any]:
    addresses = EmailAddress.objects.filter(user=user).values("email", "verified", "primary")
    factors = Authenticator.objects.filter(user=user).values("type", "created_at", "last_used_at")  # never the secret
    return {**{name: getattr(user, name) for name in PROFILE}, "addresses": [*addresses], "second_factor": [*factors]}


def _forget_profile(user: User) -> None:
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()


def _memberships(user: User) -> list[dict[str, Any]]:
    rows = user.memberships.select_related("team", "contest").order_by("joined_at")
    return [
        {"contest": it.contest.slug, "team": it.team.name, "captain": it.is_captain, "joined_at": it.joined_at}
        for it in rows
    ]


def _roles(user: User) -> list[dict[str, Any]]:
    return [{"contest": it.contest.slug, "role": it.role} for it in user.roles.select_related("contest")]


def _questions(user: User) -> dict[str, Any]:
    asked = Question.objects.filter(asked_by=user).order_by("pk")
    answered = Question.objects.filter(answered_by=user).order_by("pk")
    columns = ("contest__slug", "subject", "text", "answer", "asked_at", "answered_at")
    posted = Announcement.objects.filter(posted_by=user).order_by("pk")
    return {
        "asked": [*asked.values(*columns)],
        "answered": [*answered.values(*columns)],
        "announcements": [*posted.values("contest__slug", "title", "text", "posted_at")],
    }


ABOUT_PEOPLE = ("make captain", "remove member", "give role", "take role", "give up role")
"""Verbs of the audit log whose target is a username."""


def _acts(user: User) -> list[dict[str, Any]]:
    rows = Act.objects.filter(user=user).order_by("pk")
    return list(map(dict, rows.values("contest__slug", "at", "verb", "target", "reason")))


def _forget_in_acts(user: User) -> None:
    """The audit log tells what others did with this person, too. Their name goes, the entries stay."""
    Act.objects.filter(verb__in=ABOUT_PEOPLE, target=user.username).update(target=FORMER)


def _tokens(user: User) -> list[dict[str, Any]]:
    columns = ("name", "beginning", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at")
    return [*user.tokens.order_by("pk").values(*columns)]


def _forget_tokens(user: User) -> None:
    user.tokens.all().delete()
    AnsweredRequest.objects.filter(user=user).delete()


def sessions_of(user: User) -> list[Session]:
    """Every browser in which they are logged in."""
    now = Session.objects.filter(expire_date__gte=timezone.now()).order_by("expire_date")
    return [each for each in now.iterator() if each.get_decoded().get("_auth_user_id") == str(user.pk)]


def _sessions(user: User) -> list[dict[str, Any]]:
    return [{"expires_at": each.expire_date} for each in sessions_of(user)]


def _forget_sessions(user: User) -> None:
    Session.objects.filter(pk__in=[each.pk for each in sessions_of(user)]).delete()


def nothing(user: User) -> None:
    """For what stays, or goes with something else."""


PARTS = (
    Part("profile", _profile, _forget_profile),
    Part("memberships", _memberships, nothing),
    Part("roles", _roles, nothing),
    Part("questions", _questions, nothing),
    Part("actions", _acts, _forget_in_acts),
    Part("tokens", _tokens, _forget_tokens),
    Part("sessions", _sessions, _forget_sessions),
)
