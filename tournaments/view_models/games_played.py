"""The games of a match and its faults, from its record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from django.urls import reverse

from contest.replay import FAULTS, Pieces, place_of, why
from games.engine import Event, FaultKind
from games.record import Record as GameRecord
from games.record import repeats, seating_of
from tournaments.models import Match


def games_of(
    match: Match, record: GameRecord, split: Sequence[Sequence[Event]], numbers: Sequence[int]
) -> list[dict[str, Any]]:
    """A line for each of these games: number, scores in the order of the players, seating, replay."""
    lines = []
    for number in numbers:
        events = split[number - 1]
        seating = seating_of(record, events)
        scores = events[-1].get("scores", [0] * len(seating))
        winner = events[-1].get("winner")
        lines.append(
            {
                "number": number,
                "scores": [scores[seating.index(player)] for player in range(len(seating))],
                "seating": seating,
                "seats": [(match.contest.game.seat_names[seat], player) for seat, player in enumerate(seating)],
                "seating_words": ", ".join(
                    f"{match.contest.game.seat_names[seat]}: player {player + 1}" for seat, player in enumerate(seating)
                ),
                "leader": events[0].get("leader"),
                "winner": None if winner is None else seating[winner],
                "ended": match.contest.game.ending(events),
                "verdict": events[-1].get("verdict", ""),
                "rounds": [event["event"] for event in events].count("hand"),
                "href": reverse("replay", args=[match.pk, number]),
                "log": reverse("game-log", args=[match.pk, number, match.contest.game.log_name]),
            }
        )
    return lines


def faults_of(
    match: Match,
    record: GameRecord,
    split: Sequence[Sequence[Event]],
    written: Callable[[], Mapping[int, Pieces]] = dict,
) -> list[dict[str, Any]]:
    """The faults of a match, with their words and links to the position, and how many more are mere consequences.

    `written` loads what programs wrote to standard error, by player, as far as the reader may see it. It is asked only
    where a program crashed, to explain why.
    """
    found: list[dict[str, Any]] = []
    logs, start = cache(written), 0
    for number, events in enumerate(split, 1):
        seating = seating_of(record, events)
        for ply in [ply for ply, event in enumerate(events) if event["event"] == "fault"]:
            event = events[ply]
            if repeats(events, ply):
                next(each for each in reversed(found) if each["player"] == seating[event["seat"]])["more"] += 1
            else:
                title, rule = FAULTS[FaultKind(event["kind"])]
                href = f"{reverse('replay', args=[match.pk, number])}?ply={ply}"
                player = seating[event["seat"]]
                fault = {"game": number, "player": player, "event": event, "title": title, "rule": rule, "more": 0}
                pieces = logs().get(player, ()) if event["kind"] == FaultKind.CRASH else ()
                bot = record["seats"][player]["bot"]
                fault["why"] = why.ended(event, bot, pieces, start + ply)
                found.append({**fault, "href": href, "where": place_of(match.contest.game, events, ply)})
        start += len(events)
    return found
