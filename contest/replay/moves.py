"""The list of moves of a round: a line for each trick, each card of the dealer, each turn before the play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from contest.replay.parts import Entry, Group, Round
from games.engine import Event, Game, Seat

Href = Callable[[int], str]


def moves(
    game: Game, events: Sequence[Event], heard: Sequence[int], this: Round, players: int, href: Href
) -> list[Group]:
    """The decisions and faults of one round of a game in lines, as a view hears of them: what, and with which ply.

    `href` gives the address of a ply.
    """
    groups: list[Group] = []
    waiting: list[int] = []
    lines: Counter[str] = Counter()
    for ply in range(this.first, this.last + 1):
        kind = events[ply]["event"]
        if kind in game.decisions or kind == "fault":
            waiting.append(ply)
        label = ""
        if kind == "trick":
            label = f"{game.trick_word.capitalize()} {lines[kind] + 1}"
            groups.append(_trick(game, label, events, waiting, ply, href))
        elif kind == "deal":  # what was still waiting belongs to the card before
            _close(game, groups, "", events, waiting, href)
            label = f"{game.trick_word.capitalize()} {lines[kind] + 1}"
            groups.append(Group(label, dealt=events[ply], ply=ply, href=href(ply)))
        elif (turn := game.turns.get(kind)) and _is_turn(game, [events[each] for each in waiting], players):
            label = f"{turn.title} {lines[kind] + 1}" if turn.several else turn.title
            _close(game, groups, label, events, waiting, href)
        elif kind == "score" and any(events[each]["event"] == "reject" for each in waiting):
            label = "Challenge"
            groups.append(_rejected(game, label, events, waiting, ply, href))
        if label:
            lines[kind] += 1
            waiting = []
    _close(game, groups, "", events, waiting, href)  # the game was broken off, or the hand ended by a challenge
    for group in groups:
        group.entries = [replace(each, heard=heard[each.ply]) for each in group.entries]
    return groups


def _close(
    game: Game, groups: list[Group], label: str, events: Sequence[Event], waiting: Sequence[int], href: Href
) -> None:
    """Put what waits into a line of its own, or into that of the dealer's card that it answers."""
    if not waiting:
        return
    entries = below_each_other([entry(game, events, each, href) for each in waiting])
    if not label and groups and groups[-1].dealt is not None and not groups[-1].entries:
        groups[-1].entries = entries
    else:
        groups.append(Group(label, entries))


def endings(game: Game, events: Sequence[Event], this: Round, href: Href) -> list[tuple[int, str, str]]:
    """What closes a round: ply, words, address."""
    of = f" of {game.hand_word} {this.number}" if game.hand_word else ""
    names = {"score": f"Score{of}", "result": "The game is over"}
    kinds = ((ply, events[ply]["event"]) for ply in range(this.first, this.last + 1))
    return [(ply, names[kind], href(ply)) for ply, kind in kinds if kind in names]


def entry(
    game: Game, events: Sequence[Event], ply: int, href: Href, *, leads: bool = False, wins: bool = False
) -> Entry:
    event = events[ply]
    bare = event["event"] in game.decisions and not {"card", "cards"} & event.keys()
    return Entry(ply, event, href(ply), leads, wins, choice=" ".join(map(str, game.chosen(event))) if bare else "")


def below_each_other(entries: Sequence[Entry]) -> list[Entry]:
    """The entries of one line; a seat's decisions stand in its column one below the other, its faults under them."""
    rows: Counter[Seat] = Counter()
    placed = {}
    for each in sorted(entries, key=lambda each: (each.event["event"] == "fault", each.ply)):
        rows[each.event["seat"]] += 1
        placed[each.ply] = replace(each, row=rows[each.event["seat"]])
    return [placed[each.ply] for each in entries]


def _is_turn(game: Game, events: Sequence[Event], players: int) -> bool:
    decisions = [event for event in events if event["event"] in game.decisions]
    return len(decisions) == players and all(event["event"] in game.turns for event in decisions)


def _trick(game: Game, label: str, events: Sequence[Event], waiting: Sequence[int], ply: int, href: Href) -> Group:
    outcome = events[ply]
    plays = [each for each in waiting if events[each]["event"] == "play"]
    winning = [each for each in plays if events[each]["seat"] == outcome["winner"]]
    entries = [entry(game, events, each, href, leads=plays[:1] == [each], wins=each in winning) for each in waiting]
    return Group(label, below_each_other(entries), outcome=outcome, ply=ply, href=href(ply))


def _rejected(game: Game, label: str, events: Sequence[Event], waiting: Sequence[int], ply: int, href: Href) -> Group:
    """A challenge that ended the hand, with the point that it was worth as what came of it."""
    points = events[ply]["hand"]
    outcome = {"winner": points.index(max(points)), "points": max(points)} if any(points) else None
    entries = below_each_other([entry(game, events, each, href) for each in waiting])
    return Group(label, entries, outcome=outcome, ply=ply, href=href(ply))
