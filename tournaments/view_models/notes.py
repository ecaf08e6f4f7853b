"""The notes on a replay, as its page shows them, and the form for another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest

from contest.models import Contest
from contest.permissions import access, get_contest
from contest.replay import Replay
from tournaments import notes
from tournaments.models import Note
from tournaments.models.notes import LONGEST
from tournaments.notes import Audience, Place
from tournaments.view_models import practice
from tournaments.view_models.visible_matches import visible_match


@dataclass(frozen=True, slots=True)
class NoteSeen:
    note: Note
    href: str
    may_remove: bool

    @property
    def who(self) -> str:
        return who_wrote(self.note)


def who_wrote(note: Note) -> str:
    """The author as far as everybody may know: the team, or the organisers."""
    if note.by_desk and note.audience != Audience.TEAM:
        return "Organisers"
    return note.team.name if note.team else "Organisers"


@dataclass(frozen=True, slots=True)
class Draft:
    """A note that was not accepted, and why."""

    text: str = ""
    audience: str = ""
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class NotesSeen:
    """The notes at the positions of one game."""

    listed: Sequence[NoteSeen]
    address: str  # where the form goes; blank for readers who may not write
    audiences: Sequence[tuple[str, str, bool]]  # value, label, chosen
    draft: Draft
    longest: int = LONGEST

    @property
    def ticks(self) -> str:
        """The path of the marks below the slider."""
        return "".join(f"M{ply} 0v8" for ply in sorted({each.note.ply for each in self.listed}))

    @property
    def is_empty(self) -> bool:
        return not (self.listed or self.address)


LABELS = {
    Audience.TEAM: "your team",
    Audience.DESK: "people with a role",
    Audience.PUBLIC: "everybody",
}


def notes_of(request: HttpRequest, place: Place, replay: Replay, address: str, draft: Draft | None = None) -> NotesSeen:
    """The notes that this reader may read on a replay that they may see. `address`: to which the form is sent."""
    reader, draft = access(request, place.contest), draft or Draft()
    possible = notes.audiences(reader, place) if request.user.is_authenticated else []
    chosen = draft.audience or (possible[0] if possible else "")
    return NotesSeen(
        listed=[
            NoteSeen(note, replay.href(min(note.ply, replay.last)), notes.may_remove(reader, note, request.user.pk))
            for note in notes.readable(reader, place)
        ],
        address=address if possible else "",
        audiences=[(each.value, LABELS[each], each == chosen) for each in possible],
        draft=draft,
    )


def place_of(request: HttpRequest, note: Note) -> tuple[Contest, Place]:
    """Where a note stands, if the reader may see that game. Raises Http404."""
    if note.match is not None:
        match, _ = visible_match(request, note.match.pk)
        return match.contest, Place(match.contest, match=match, game=note.game)
    assert note.practice is not None  # the constraint a_note_is_about_one_game
    contest = get_contest(request, note.contest.slug)
    practice.visible_order(access(request, contest), note.practice.order_id)
    return contest, Place(contest, practice=note.practice, game=note.game)
