"""Notes at positions of replays: who may write, read and remove them. Every action is one transaction.

Whoever calls has asked a `Sight` (or, in practice, who may see the order) whether the reader may see the replay. Of its
notes they see those of their own team, the public ones, and with a role those for people with a role. So a note is
never seen by anybody who may not see the game that it is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from contest.models import Act, Contest, User
from contest.permissions import Access
from contest.refusal import Refused
from tournaments.models import Match, Note, PracticeGame
from tournaments.models.notes import LONGEST

MOST_IN_AN_HOUR = 60  # of a person
MOST_AT_A_GAME = 100  # of a team or, without one, of a person

Audience = Note.Audience


@dataclass(frozen=True, slots=True)
class Place:
    """The game that a note is about: one of a match, or of practice."""

    contest: Contest
    match: Match | None = None
    practice: PracticeGame | None = None
    game: int = 1

    def notes(self) -> QuerySet[Note]:
        return Note.objects.filter(match=self.match, practice=self.practice, game=self.game)


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to write."""

    text: str
    audience: str
    ply: int
    where: str


def audiences(access: Access, place: Place) -> list[Audience]:
    """For whom this reader may write here, the most private first. Empty: they may not write."""
    found = []
    if access.team is not None:
        found.append(Audience.TEAM)
    if access.sees_results and place.match is not None:
        found.append(Audience.DESK)
    if place.match is not None and (access.organises or (found and place.contest.public_notes)):
        found.append(Audience.PUBLIC)
    return found


def readable(access: Access, place: Place) -> QuerySet[Note]:
    """The notes that this reader may read, in the order of their positions."""
    seen = Q(audience=Audience.PUBLIC) if place.contest.public_notes else Q(audience=Audience.PUBLIC, by_desk=True)
    if access.team:
        seen |= Q(team=access.team) & ~Q(audience=Audience.DESK)
    if access.sees_results:
        seen |= Q(audience=Audience.DESK)
    return place.notes().filter(seen).prefetch_related("author", "team")  # most games have none


def may_remove(access: Access, note: Note, user_id: int | None) -> bool:
    """The author, their team (its own notes), and for public ones the organisers."""
    if user_id is not None and note.author_id == user_id:
        return True
    if note.audience == Audience.PUBLIC and access.organises:
        return True
    return access.team is not None and note.team_id == access.team.pk and note.audience != Audience.DESK


@transaction.atomic
def write(access: Access, by: User, place: Place, wish: Wish) -> Note:
    """Write a note. Raises Refused."""
    text = wish.text.replace("\r\n", "\n").strip()
    possible = audiences(access, place)
    if not possible:
        raise Refused("Only teams of this contest and people with a role can write notes.")
    if wish.audience not in possible:
        raise Refused("You cannot write notes for these readers here.")
    if not text:
        raise Refused("Write something first.")
    if len(text) > LONGEST:
        raise Refused(f"A note has at most {LONGEST} characters; yours has {len(text)}.")
    User.objects.select_for_update().get(pk=by.pk)  # two notes at once do not slip past a limit
    now = timezone.now()
    if by.notes.filter(made_at__gt=now - timedelta(hours=1)).count() >= MOST_IN_AN_HOUR:
        raise Refused(f"You have written {MOST_IN_AN_HOUR} notes in the last hour. Please wait a little.")
    own = place.notes().filter(team=access.team) if access.team else place.notes().filter(author=by, team=None)
    if own.count() >= MOST_AT_A_GAME:
        raise Refused(f"There are already {MOST_AT_A_GAME} notes of yours on this game. Remove one first.")
    note = Note(
        contest=place.contest,
        match=place.match,
        practice=place.practice,
        game=place.game,
        ply=wish.ply,
        where=wish.where[:80],
        author=by,
        team=access.team,
        by_desk=access.sees_desk,
        audience=wish.audience,
        text=text,
        made_at=now,
    )
    note.save(force_insert=True)
    return note


@transaction.atomic
def remove(access: Access, by: User, note: Note) -> None:
    """Delete a note. What somebody removes that is not their own team's is in the audit log. Raises Refused."""
    if not may_remove(access, note, by.pk):
        raise Refused("You cannot remove this note.")
    is_own = note.author_id == by.pk or (access.team is not None and note.team_id == access.team.pk)
    if not is_own:
        Act.record(note.contest, by, "remove note", note.match or note, was=note.text, team=note.team_id)
    note.delete()


# A person's own -------------------------------------------------------------------------------------------------------


def export_of(user: User) -> list[dict[str, Any]]:
    """Everything that a person has written in notes, for the copy of their data."""
    found = user.notes.select_related("contest", "team", "practice__order").order_by("made_at", "pk")
    return [
        {
            "contest": note.contest.name,
            "team": note.team.name if note.team else "",
            "address": note.href,
            "where": note.where,
            "for": note.get_audience_display(),
            "text": note.text,
            "written_at": note.made_at.isoformat(),
        }
        for note in found
    ]


@transaction.atomic
def forget(user: User) -> int:
    """Delete all notes that a person has written, the public ones too. Returns how many."""
    deleted, _ = user.notes.all().delete()
    return deleted
