"""Evidence of fairness on the page of a match: who sat where, and matches on the same deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from contest.models import Team
from games.engine import Event
from games.record import Record as GameRecord
from games.record import seating_of
from tournaments.models import Match, MatchSeat
from tournaments.results.visibility import Sight


def seats_in_words(record: GameRecord, split: Sequence[Sequence[Event]]) -> str:
    """How the players rotate through the seats, or take turns at leading."""
    players = range(len(record["seats"]))
    if len(players) < 2 or not split:
        return ""
    if len(split) == 1:
        return "The portal drew the seats."
    leaders = [events[0].get("leader") for events in split]
    if leaders[0] is not None:
        led = Counter(leaders)
        if len({led[player] for player in players}) == 1:
            return f"All players lead first equally often: {led[0]} of {len(split)} games."
        return "The players take turns at leading first."
    sat = Counter((player, seat) for events in split for seat, player in enumerate(seating_of(record, events)))
    counts = {sat[player, seat] for player in players for seat in players}
    if len(counts) == 1:
        times = counts.pop()
        return f"Seats rotate: every player sits {'once' if times == 1 else f'{times} times'} in every seat."
    if len({tuple(seating_of(record, events)) for events in split}) > 1:
        return "Seats rotate from game to game."
    return "All players keep their seats."


@dataclass(frozen=True, slots=True)
class Sibling:
    match: Match
    scores: list[float | None]  # in the order of `Duplicate.teams`


@dataclass(frozen=True, slots=True)
class Duplicate:
    """All matches of a table on the same deals. `sums` covers those that have been played."""

    teams: list[Team]
    siblings: list[Sibling]
    sums: list[float]

    @property
    def is_whole(self) -> bool:
        return all(None not in sibling.scores for sibling in self.siblings)


def duplicate_of(match: Match, known: Sight) -> Duplicate | None:
    """None if the match has deals of its own. `known`: the reader's view. Two queries."""
    if not match.stage.options.get("duplicate") or match.status == Match.State.VOID:
        return None
    seats = MatchSeat.objects.select_related("team").order_by("index")
    same = known.valid().filter(table=match.table_id, seed=match.seed)
    same = same.select_related("stage", "table").order_by("number")
    matches = known.as_known(same.prefetch_related(Prefetch("seats", seats)))
    if len(matches) < 2:
        return None
    teams = [seat.team for seat in matches[0].seats.all() if seat.team]
    siblings = [Sibling(each, [_score(each, team) for team in teams]) for each in matches]
    sums = [sum(sibling.scores[at] or 0.0 for sibling in siblings) for at in range(len(teams))]
    return Duplicate(teams, siblings, sums)


def _score(match: Match, team: Team) -> float | None:
    """Points and penalty, once it has been played."""
    if match.status != Match.State.DONE:
        return None
    return next((seat.counted for seat in match.seats.all() if seat.team_id == team.pk), None)
