"""Stages, tables, standings, ratings and matches: what the API tells, to whom, and what it costs."""

from __future__ import annotations

import csv
import io
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import record as records
from games.engine import Fault, FaultKind
from tests.programs import program
from tests.tournaments import scenes
from tests.tournaments.api.contract import everything, lines, told
from tests.tournaments.courtroom import SECRETS, Courtroom
from tests.tournaments.records import Scripted
from tests.tournaments.stagecraft import Hall, play_out
from tests.tournaments.test_two_worlds import ROUNDS, staged
from tests.tournaments.worlds import play_on
from tournaments.models import Match, MatchSeat, Stage
from tournaments.organising import releases, stages

pytestmark = pytest.mark.django_db


@pytest.fixture
def hall() -> Hall:
    return Hall(6)


@pytest.fixture
def cup(hall: Hall) -> Stage:
    """A bracket of twos, played to its end."""
    stage = staged(hall, options={"table_size": 2, "games": 1})
    play_on(stage)
    stage.refresh_from_db()
    return stage


def here(hall: Hall | Courtroom, rest: str = "") -> str:
    return f"/api/v1/contests/{hall.contest.slug}/{rest}"


def queries_of(client: Client, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address)
        assert answer.status_code == 200
        _ = b"".join(answer)
    return len(queries)


class TestStages:
    def test_a_stage_as_its_page_shows_it(self, hall: Hall, cup: Stage) -> None:
        (line,) = told(Client(), here(hall, "stages"))
        stage = told(Client(), here(hall, f"stages/{cup.pk}"))
        assert line.items() <= stage.items()
        assert (stage["state"], stage["kind"], stage["is_bracket"]) == ("done", "planned", True)
        assert [entrant["team_id"] for entrant in stage["entrants"]] == cup.order
        assert stage["matches"] == {"queued": 0, "running": 0, "void": 0, "done": cup.matches.count()}
        assert stage["rules"] == list(cup.rules())

    def test_drafts_are_for_people_with_a_role(self, hall: Hall) -> None:
        stage = staged(hall, start=False)
        assert told(Client(), here(hall, "stages")) == []
        assert Client().get(here(hall, f"stages/{stage.pk}")).status_code == 404
        assert [it["state"] for it in told(program(hall.ada, "desk"), here(hall, "stages"))] == ["draft"]
        assert told(program(hall.ada), here(hall, "stages")) == []  # a token without that scope

    def test_hidden_games_are_no_option_for_the_public(self) -> None:
        court = Courtroom(2).start()
        address = here(court, f"stages/{court.stage.pk}")
        assert told(Client(), address)["options"] == {"wrong_minutes": 20}
        assert SECRETS[0] in told(program(court.ada, "desk"), address)["options"]["hidden"]

    def test_what_is_withheld_is_said(self, hall: Hall) -> None:
        first = staged(hall, "swiss", options={"table_size": 2, "rounds": 2, "games": 1}, release=ROUNDS)
        entry = {"entry": Stage.Entry.BEST, "source": first, "best": 4, "seeding": Stage.Seeding.SOURCE}
        second = staged(hall, name="Finals", start=False, **entry)
        stages.publish(second, hall.ada)
        play_on(first)
        releases.release(first, hall.ada, 1)
        one, other = told(Client(), here(hall, "stages"))
        assert (one["released"], one["withheld_from_round"], one["awaits_release"]) == (1, 2, True)
        assert other["entrants_withheld"]
        assert told(Client(), here(hall, f"stages/{second.pk}"))["entrants"] == []
        tables = told(Client(), here(hall, f"stages/{first.pk}/tables"))["rounds"]
        assert [table["withheld"] for round in tables for table in round["tables"]] == [False] * 3 + [True] * 3


class TestStandings:
    def test_of_the_contest_in_pieces_with_its_champion(self, hall: Hall, cup: Stage) -> None:
        whole = told(Client(), here(hall, "standings"))
        assert whole["champion"] == {"stage": cup.pk, "team_id": hall.teams[0].pk, "team": hall.teams[0].name}
        assert everything(Client(), here(hall, "standings?limit=2")) == whole["results"]
        file = csv.DictReader(
            io.StringIO(b"".join(Client().get(f"/c/{hall.contest.slug}/standings.csv")).decode("utf-8-sig"))
        )
        assert [(line["team_id"], line["rating"]) for line in whole["results"]] == [
            (int(line["team_id"]), float(line["rating"])) for line in file
        ]


class TestMatches:
    def test_in_pieces_and_as_lines_they_are_the_same(self, hall: Hall, cup: Stage) -> None:
        pieces = everything(Client(), here(hall, "matches?limit=2"))
        assert [row["match"] for row in pieces] == list(cup.matches.order_by("-pk").values_list("pk", flat=True))
        assert lines(Client(), here(hall, "matches")) == pieces[::-1]
        assert b"".join(Client().get(here(hall, "matches?format=ndjson"))).count(b"\n") == len(pieces)

    def test_filters(self, hall: Hall, cup: Stage) -> None:
        first, *others = cup.matches.order_by("pk")
        late = timezone.now() + timedelta(hours=1)
        Match.objects.filter(pk=others[-1].pk).update(finished_at=late)
        MatchSeat.objects.filter(match=first, index=0).update(faults=2)
        team = hall.teams[0].pk
        final = max(match.table.round for match in others)

        def found(query: str) -> set[int]:
            return {row["match"] for row in everything(Client(), here(hall, f"matches?{query}"))}

        every = {first.pk, *(match.pk for match in others)}
        own = set(cup.matches.filter(seats__team=team).values_list("pk", flat=True))
        assert found("state=done") == found(f"stage={cup.pk}") == every
        assert found("state=void") == set()
        assert found(f"team={team}") == found(f"team={team}&version=1") == own
        assert found(f"team={team}&version=2") == set()
        assert found("faults=true") == {first.pk}
        assert found(f"after={first.pk}") == every - {first.pk}
        assert found(f"round={final}") == {others[-1].pk}
        assert found(f"since={late.isoformat().replace('+00:00', 'Z')}") == {others[-1].pk}

    def test_nobody_learns_from_a_filter_how_long_a_run_was_judged(self) -> None:
        court = Courtroom(1).start()
        court.send(court.teams[0])
        run = court.judge()
        (row,) = everything(Client(), here(court, "matches"))
        assert (row["finished_at"], row["players"][0]["verdict"]) == (None, "correct")
        assert everything(Client(), here(court, "matches?since=2001-01-01T00:00:00Z")) == []
        desk = everything(program(court.ada, "desk"), here(court, "matches?since=2001-01-01T00:00:00Z"))
        assert [it["match"] for it in desk] == [run.pk]

    def test_the_cost_does_not_grow_with_the_matches(self) -> None:
        costs = []
        for teams in (4, 8):
            hall = Hall(teams)
            stage = staged(hall, "round_robin", options={"games": 1})
            play_on(stage, most=3 if teams == 4 else 12)
            team = hall.teams[0].pk
            asked = ("stages", f"stages/{stage.pk}", f"stages/{stage.pk}/tables", "standings", f"ratings?team={team}")
            asked += (
                f"stages/{stage.pk}/standings",
                "matches",
                "matches?format=ndjson",
                "matches?state=done",
                "ledger",
            )
            asked += ("ledger?format=ndjson", "ledger?after=0&limit=3")
            costs.append({rest.replace(str(stage.pk), "1"): queries_of(Client(), here(hall, rest)) for rest in asked})
            costs[-1] = dict(enumerate(costs[-1].values()))
            costs[-1]["match"] = queries_of(Client(), f"/api/v1/matches/{stage.matches.done()[0].pk}")
        assert costs[0] == costs[1]


GARBLED = Fault(FaultKind.GARBLED, "answered with something that is not a card", b"h9")


class TestOneMatch:
    @pytest.fixture
    def match(self) -> Match:
        """In which one bot makes a fault and another writes to standard error."""
        self.hall = Hall(4)
        stage = staged(self.hall, options={"games": 2})
        first, second = self.hall.teams[:2]

        def bots(seat: MatchSeat) -> Scripted:
            if seat.team == first:
                return Scripted(says="I think")
            return Scripted(GARBLED, at=5, says="so do I") if seat.team == second else Scripted()

        return scenes.play_match(stage.matches.get(), bots)

    def test_everything_that_its_page_tells(self, match: Match) -> None:
        found = told(Client(), f"/api/v1/matches/{match.pk}")
        assert not found["withheld"]
        record = match.record.loaded()
        assert [player["points"] for player in found["players"]] == record["result"]["scores"]
        assert len(found["game_results"]) == match.games == len(records.games(record))
        assert found["record_sha256"] == match.record.sha256
        (fault,) = found["fault_list"]
        assert (fault["kind"], fault["seat"]) == (
            "garbled",
            next(player["seat"] for player in found["players"] if player["faults"]),
        )
        assert Client().get(fault["replay"]).status_code == 200
        (line,) = everything(Client(), here(self.hall, f"matches?after={match.pk - 1}&limit=1"))[-1:]
        assert line.items() <= found.items()

    def test_record_and_logs_are_those_of_the_pages(self, match: Match) -> None:
        found = told(Client(), f"/api/v1/matches/{match.pk}")
        assert Client().get(found["record"]).content == Client().get(f"/m/{match.pk}/record.json").content
        name = match.contest.game.log_name
        for number, game in enumerate(found["game_results"], 1):
            assert Client().get(game["log"]).content == Client().get(f"/m/{match.pk}/{number}/{name}").content
        assert Client().get(f"/api/v1/matches/{match.pk}/games/9/log").status_code == 404

    def test_debug_output_is_for_its_own_team_and_for_people_with_a_role(self, match: Match) -> None:
        address = f"/api/v1/matches/{match.pk}/stderr"
        one, other, third, _ = (team.people()[0].user for team in self.hall.teams)
        seats = {seat.team_id: seat.index for seat in match.seats.all()}
        for user, scopes, sees in (
            (one, ["bot"], [0]),
            (other, ["bot", "team"], [1]),
            (third, ["bot"], []),
            (one, ["desk"], []),
            (one, ["desk", "team"], []),
            (self.hall.ada, ["desk"], [0, 1]),
            (self.hall.ada, ["bot"], []),
        ):
            players = told(program(user, *scopes), address)["players"]
            assert [it["seat"] for it in players] == sorted(seats[self.hall.teams[at].pk] for at in sees), scopes
        assert "I think" in told(program(one, "bot"), address)["players"][0]["pieces"][0]["text"]
        assert Client().get(address).status_code == 401
        assert program(one, "team").get(address).status_code == 403

    def test_nothing_of_it_is_there_in_a_freeze(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options={"games": 1})
        match = stage.matches.get()
        releases.freeze(hall.contest, hall.ada)
        play_out(stage)
        address, member = f"/api/v1/matches/{match.pk}", program(hall.teams[0].people()[0].user, "bot", "team", "desk")
        for client in (Client(), member):
            found = told(client, address)
            assert found["withheld"]
            assert set(found["players"][0]) == {"seat", "player", "team_id"}
            assert "state" not in found
            for rest in ("/record", "/games/1/log"):
                assert client.get(f"{address}{rest}").status_code == 404
        assert member.get(f"{address}/stderr").status_code == 404
        assert told(program(hall.ada, "desk"), address)["state"] == "done"
