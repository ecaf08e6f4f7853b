"""Stages of every format through the database and the referee, with tables compared with the records alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations, permutations
from random import Random
from typing import Any

import pytest

from games import record as records
from games.verify import verify
from tests.tournaments.stagecraft import Hall, play_out
from tournaments.formats.plan import Ranked
from tournaments.kinds.planned import PLANNED
from tournaments.models import Match, Stage
from tournaments.organising import stages

pytestmark = pytest.mark.django_db


class Played:
    """A stage in which house players took the teams' seats, and its records."""

    def __init__(self, format: str, teams: int, game: str, target: int | None = None, **options: Any) -> None:
        self.hall = Hall(teams, game=game, preset="open", target=target)
        self.stage = stages.create(self.hall.contest, self.hall.ada, stages.Wish("Cup", format, options))
        Stage.objects.filter(pk=self.stage.pk).update(seed=17)
        stages.start(self.stage, self.hall.ada)
        play_out(self.stage, Random(1))
        self.stage.refresh_from_db()
        assert self.stage.state == Stage.State.DONE
        self.matches = list(self.stage.matches.valid().select_related("record", "table").order_by("table", "number"))
        self.records = {match.pk: records.loads(match.record.text()) for match in self.matches}
        for match in self.matches:
            assert verify(self.records[match.pk]) is None, match

    def ranking(self) -> tuple[Ranked, ...]:
        return PLANNED.plan(self.stage).ranking

    def players(self, match: Match) -> list[int | None]:
        """Team ids in the order of the record."""
        return [seat.team_id for seat in match.seats.all()]

    def scores(self, match: Match) -> list[tuple[int | None, float]]:
        return list(zip(self.players(match), self.records[match.pk]["result"]["scores"], strict=True))

    def seatings(self, match: Match) -> list[tuple[int | None, ...]]:
        record, players = self.records[match.pk], self.players(match)
        return [
            tuple(players[at] for at in records.game_seating(record, number))
            for number in range(1, records.games_played(record) + 1)
        ]

    def hands(self, match: Match) -> list[list[Any]]:
        """By game: the first cards dealt to each seat."""
        record = self.records[match.pk]
        count = records.games_played(record)
        return [
            next(event["hands"] for event in records.game_events(record, number) if event["event"] == "hand")
            for number in range(1, count + 1)
        ]

    def tables(self) -> dict[int, list[Match]]:
        found = defaultdict(list)
        for match in self.matches:
            found[match.table_id].append(match)
        return found


@pytest.mark.parametrize("games", [pytest.param(1, marks=pytest.mark.long("more")), 3])
def test_the_same_deals_from_every_seat(games: int) -> None:
    """In a Swiss of five, one team plays only with the house."""
    played = Played("swiss", 5, "intensity", rounds=2, games=games, duplicate=True)
    points: Counter[int] = Counter()
    for matches in played.tables().values():
        assert len(matches) == 4
        assert len({str(played.hands(match)) for match in matches}) == 1
        first = played.hands(matches[0])
        assert len({str(hand) for hand in first}) == games, "other deals in every game"
        teams = [team for team in played.players(matches[0]) if team]
        for number in range(games):
            for team in teams:
                assert sorted(played.seatings(match)[number].index(team) for match in matches) == [0, 1, 2, 3]
        sums: Counter[Any] = Counter()
        for match in matches:
            by = match.number - 1
            seats = played.scores(match)
            for at, (_, score) in enumerate(seats[by:] + seats[:by]):
                sums[at] += score
        order = played.players(matches[0])
        for at, team in enumerate(order):
            if team:
                better, level = (sum(one < sums[at] for one in sums.values()), list(sums.values()).count(sums[at]))
                points[team] += sum((3, 2, 1, 0)[better : better + level]) / level
    assert {ranked.team: ranked.values[0] for ranked in played.ranking()} == {
        team: points[team] for team in played.hall.ids
    }


@pytest.mark.parametrize("duplicate", [False, True])
@pytest.mark.long("more")
def test_all_combinations_in_all_seatings(duplicate: bool) -> None:
    played = Played("combinations", 5, "hearts", target=1, duplicate=duplicate)
    tables = played.tables()
    assert len(tables) == 5
    total, count = Counter[Any](), Counter[Any]()
    for matches in tables.values():
        seatings = [seating for match in matches for seating in played.seatings(match)]
        teams = [team for team in played.players(matches[0]) if team]
        assert Counter(seatings) == Counter(permutations(teams))
        if duplicate:
            assert len({str(played.hands(match)) for match in matches}) == 1
        for match in matches:
            for team, score in played.scores(match):
                total[team] += score
                count[team] += len(played.seatings(match))
    assert {frozenset(played.players(matches[0])) for matches in tables.values()} == {
        frozenset(four) for four in combinations(played.hall.ids, 4)
    }
    assert [ranked.team for ranked in played.ranking()] == sorted(
        played.hall.ids, key=lambda team: (total[team] / count[team], played.hall.ids.index(team))
    )
