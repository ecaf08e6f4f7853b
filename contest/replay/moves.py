"""The list of moves of a round: a line for each trick, and for each turn of what comes before the play."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from contest.replay.parts import Entry, Group, Round
from games.engine import Event
from games.format import DECISIONS

Href = Callable[[int], str]
BEFORE_PLAY = ("take", "pass")


def moves(events: Sequence[Event], this: Round, players: int, href: Href) -> list[Group]:
    """The decisions and faults of one round of a game in lines. `href` gives the address of a ply."""
    groups: list[Group] = []
    waiting: list[int] = []
    turns = tricks = 0
    for ply in range(this.first, this.last + 1):
        kind = events[ply]["event"]
        if kind in DECISIONS or kind == "fault":
            waiting.append(ply)
        if kind == "trick":
            tricks += 1
            groups.append(_trick(f"Trick {tricks}", events, waiting, ply, href))
            waiting = []
        elif kind in BEFORE_PLAY and _is_turn([events[each] for each in waiting], players):
            turns += 1
            label = f"{'Takes' if kind == 'take' else 'Passes'} {turns}"
            groups.append(Group(label, [entry(events, each, href) for each in waiting]))
            waiting = []
    if waiting:  # the game was broken off, or the hand ended by a challenge
        groups.append(Group("", [entry(events, each, href) for each in waiting]))
    return groups


def endings(events: Sequence[Event], this: Round, href: Href) -> list[tuple[int, str, str]]:
    """What closes a round: ply, words, address."""
    names = {"score": f"Score of round {this.number}", "result": "The game is over"}
    kinds = ((ply, events[ply]["event"]) for ply in range(this.first, this.last + 1))
    return [(ply, names[kind], href(ply)) for ply, kind in kinds if kind in names]


def entry(events: Sequence[Event], ply: int, href: Href, *, leads: bool = False, wins: bool = False) -> Entry:
    return Entry(ply, events[ply], href(ply), leads, wins)


def _is_turn(events: Sequence[Event], players: int) -> bool:
    decisions = [event for event in events if event["event"] in DECISIONS]
    return len(decisions) == players and all(event["event"] in BEFORE_PLAY for event in decisions)


def _trick(label: str, events: Sequence[Event], waiting: Sequence[int], ply: int, href: Href) -> Group:
    outcome = events[ply]
    plays = [each for each in waiting if events[each]["event"] == "play"]
    winning = [each for each in plays if events[each]["seat"] == outcome["winner"]]
    entries = [entry(events, each, href, leads=plays[:1] == [each], wins=each in winning) for each in waiting]
    return Group(label, entries, outcome, ply, href(ply))
