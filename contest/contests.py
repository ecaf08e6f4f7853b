"""What owners and organisers do with a contest. Every action is one transaction and one entry of the audit log."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import datetime
from textwrap import shorten
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db import transaction
from django.urls import resolve, reverse
from django.utils import timezone
from django.utils.module_loading import import_string
from django.utils.text import slugify

import games
from contest import presets, zone_changes
from contest.ledger import hold
from contest.models import Act, Announcement, Contest, Role, User
from contest.refusal import Refused, reason_given
from contest.zones import official_zone


def free_slug(name: str) -> str:
    """An unused slug for this name: spring-cup, spring-cup-2 …"""
    stem = slugify(shorten(name, 50, placeholder="") or name)[:50].strip("-") or "contest"
    taken = set(Contest.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    number = 1
    slug = stem
    while slug in taken or resolve(reverse("contest", args=[slug])).url_name != "contest":
        number += 1
        slug = f"{stem}-{number}"
    return slug


@transaction.atomic
def create(
    by: User, name: str, game_slug: str, preset: str, opens_at: datetime | None = None, **fields: Any
) -> Contest:
    """Create a contest from a preset, owned by `by`. `fields` override the preset's defaults. Raises OptionError."""
    game = games.get(game_slug)
    official = fields.setdefault("time_zone", timezone.get_default_timezone_name())
    start = timezone.localtime(opens_at or timezone.now(), official_zone(official))
    values = {**presets.defaults(game, game.preset(preset), start), **fields}
    contest = Contest(slug=free_slug(name), name=name, **values)
    contest.full_options()  # raises if the game does not take these options
    contest.save()
    Role.objects.create(contest=contest, user=by, role=Role.Kind.OWNER)
    Act.record(contest, by, "create contest", contest.name, preset=f"{game_slug}:{preset}")
    return contest


@transaction.atomic
def edit(contest: Contest, by: User, changes: Mapping[str, Any], keep: str = "") -> dict[str, tuple[str, str]]:
    """Set fields of the contest. Returns and records the changes: {field: (before, after)}.

    With another `time_zone`, `keep` says what stays: "clock_times" moves all that `zone_changes.moves` finds, apart
    from the fields in `changes`. Raises Refused if the contest's stages, bots or programs do not fit the new settings.
    """
    now = hold(contest.pk)
    moves = zone_changes.moves(now, changes["time_zone"]) if keep == "clock_times" else []
    changes = {move.field: move.after for move in moves if move.row == now} | {**changes}
    changed = {name: (getattr(now, name), value) for name, value in changes.items() if getattr(now, name) != value}
    for name, (_, value) in changed.items():
        setattr(contest, name, value)
    if not changed:
        return {}
    contest.full_options()
    check: Callable[[Contest], None] = import_string(settings.CONTEST_CHECKED_BY)
    check(contest)
    contest.save(update_fields=list(changed))
    zone_changes.carry_out([move for move in moves if move.row != now], contest, by)
    said = {name: (_said(before), _said(after)) for name, (before, after) in changed.items()}
    Act.record(contest, by, "change settings", ", ".join(said), changes=said)
    contest.touch()
    return said


def _said(value: object) -> str:
    """A value as the audit log keeps it."""
    return value.isoformat(timespec="minutes") if isinstance(value, datetime) else str(value)[:500]


@transaction.atomic
def end(contest: Contest, by: User, reason: str) -> None:
    """Close the contest: everything stays visible, nothing can be changed."""
    _reread_end(contest)
    if contest.ended_at:
        raise Refused("This contest has already ended.")
    reason = reason_given(reason, "Please say why you are ending the contest.")
    contest.ended_at = timezone.now()
    contest.save(update_fields=["ended_at"])
    Act.record(contest, by, "end contest", contest.name, reason)
    contest.touch()


@transaction.atomic
def reopen(contest: Contest, by: User, reason: str) -> None:
    """Undo the end; the dates apply again."""
    _reread_end(contest)
    if not contest.ended_at:
        raise Refused("This contest has not ended.")
    reason = reason_given(reason, "Please say why you are reopening the contest.")
    contest.ended_at = None
    contest.save(update_fields=["ended_at"])
    Act.record(contest, by, "reopen contest", contest.name, reason)
    contest.touch()


def _reread_end(contest: Contest) -> None:
    """Read the end again: someone may have ended or reopened the contest since the page was shown."""
    contest.ended_at = hold(contest.pk).ended_at


@transaction.atomic
def delete(contest: Contest) -> None:
    """Delete a contest that has no teams. With teams it holds other people's work and can only end."""
    hold(contest.pk)
    count = contest.teams.count()
    if count:
        teams = "1 team has" if count == 1 else f"{count} teams have"
        raise Refused(f"{teams} entered this contest, so you cannot delete it. End it or make it private instead.")
    contest.delete()


# Roles ----------------------------------------------------------------------------------------------------------------


def find_user(name: str) -> User:
    """Find an account by user name or by confirmed e-mail address, ignoring case. Raises Refused.

    Anyone can sign up with somebody else's address, or use one as a user name. Neither may earn them a role.
    """
    name = name.strip()
    if "@" in name:
        confirmed = EmailAddress.objects.filter(email__iexact=name, verified=True)
        user = User.objects.filter(is_active=True, pk__in=confirmed.values("user")).first()
        if user is None:
            raise Refused(f"Nobody has confirmed the address “{name}”. Use the person's username instead.")
        return user
    user = User.named(name)
    if user is None or not user.is_active:
        raise Refused(f"“{name}” belongs to no account. Ask the person to sign up, then add them by their username.")
    return user


@transaction.atomic
def give_role(contest: Contest, by: User, user: User, role: str) -> None:
    """Give someone a role, or change it."""
    hold(contest.pk)
    before = Role.objects.filter(contest=contest, user=user).first()
    if before and before.role == role:
        raise Refused(f"{user} already has this role.")
    if before and before.role == Role.Kind.OWNER:
        _keep_an_owner(contest, before)
    Role.objects.update_or_create(contest=contest, user=user, defaults={"role": role})
    Act.record(contest, by, "give role", user, role=role, before=before.role if before else None)


@transaction.atomic
def take_role(role: Role, by: User) -> None:
    """Remove someone's role, or give up one's own."""
    hold(role.contest_id)
    if role.role == Role.Kind.OWNER:
        _keep_an_owner(role.contest, role)
    verb = "give up role" if role.user_id == by.pk else "take role"
    Act.record(role.contest, by, verb, role.user, role=role.role)
    role.delete()


def _keep_an_owner(contest: Contest, but: Role) -> None:
    if not contest.roles.filter(role=Role.Kind.OWNER).exclude(pk=but.pk).exists():
        raise Refused("A contest needs at least one owner. Make someone else an owner first.")


@transaction.atomic
def renew_spectator_link(contest: Contest, by: User) -> None:
    """Create the link for spectators, or replace it: the old one stops working."""
    before = hold(contest.pk).spectator_code
    contest.spectator_code = secrets.token_urlsafe(12)
    contest.save(update_fields=["spectator_code"])
    Act.record(contest, by, "renew spectator link" if before else "make spectator link", contest.name)


@transaction.atomic
def revoke_spectator_link(contest: Contest, by: User) -> None:
    if not hold(contest.pk).spectator_code:
        raise Refused("There is no link for spectators.")
    contest.spectator_code = ""
    contest.save(update_fields=["spectator_code"])
    Act.record(contest, by, "revoke spectator link", contest.name)


# Announcements --------------------------------------------------------------------------------------------------------


@transaction.atomic
def announce(contest: Contest, by: User, title: str, text: str = "") -> Announcement:
    contest.touch()
    announcement = Announcement.objects.create(contest=contest, title=title, text=text, posted_by=by)
    Act.record(contest, by, "announce", title)
    return announcement


@transaction.atomic
def change_announcement(announcement: Announcement, by: User, title: str, text: str) -> None:
    announcement.contest.touch()
    Act.record(announcement.contest, by, "change announcement", title, before=[announcement.title, announcement.text])
    announcement.title, announcement.text = title, text
    announcement.save(update_fields=["title", "text"])


@transaction.atomic
def withdraw_announcement(announcement: Announcement, by: User) -> None:
    announcement.contest.touch()
    before = [announcement.title, announcement.text]
    Act.record(announcement.contest, by, "withdraw announcement", announcement.title, before=before)
    announcement.delete()
