"""The replay of a match, its record and its log: every state, every reader, every address that somebody may type."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

import games
from contest.models import Team, User
from games import record as records
from games.engine import Fault, FaultKind
from tests.cast import Cast, make_cast
from tests.tournaments import scenes, stagecraft
from tests.tournaments.records import Scripted
from tests.tournaments.stagecraft import any_match
from tests.tournaments.visitors import visitor
from tournaments.models import Match, MatchSeat, Stage
from tournaments.view_models.games_played import faults_of

pytestmark = pytest.mark.django_db

GARBLED = Fault(FaultKind.GARBLED, "answered with something that is not a card", b"<b>h9</b>")


def bots(seat: MatchSeat) -> Scripted:
    """Aces write to standard error and play well; Clubs do too but answer nonsense."""
    if seat.name == "Aces":
        return Scripted(says="aces think")
    if seat.name == "Clubs":
        return Scripted(GARBLED, at=15, says="clubs think")
    return Scripted()


@pytest.fixture
def cast() -> Cast:
    cast = make_cast(options={"target": 25})
    scenes.arm(cast.aces, cast.clubs)
    return cast


@pytest.fixture
def stage(cast: Cast) -> Stage:
    return scenes.stage_of(cast.contest, games=2)


@pytest.fixture
def waiting(stage: Stage) -> Match:
    return stage.matches.get()


@pytest.fixture
def match(waiting: Match) -> Match:
    scenes.play_match(waiting, bots)
    waiting.refresh_from_db()
    return waiting


def fault_ply(match: Match) -> int:
    """In game 1, whose plies are the record's indices."""
    return next(ply for ply, event in enumerate(match.record.loaded()["events"]) if event["event"] == "fault")


def test_a_crash_is_explained_on_the_page_of_its_own_team(match: Match) -> None:
    record = match.record.loaded()
    place, fault = next((at, it) for at, it in enumerate(record["events"]) if it["event"] == "fault")
    fault |= {"kind": "crash", "detail": "exited with status 1 without an answer"}
    record["seats"][fault["seat"]]["bot"] = "shark.py"
    trace = 'Traceback (most recent call last):\n  File "/box/bot.py", line 7, in <module>\nKeyError: 5\n'
    [told] = faults_of(match, record, records.games(record), lambda: {fault["seat"]: [(place, trace)]})
    page = render_to_string("tournaments/_fault.html", {"each": told})
    assert "KeyError: 5 (shark.py, line 7)" in page
    [untold] = faults_of(match, record, records.games(record))
    assert "KeyError" not in render_to_string("tournaments/_fault.html", {"each": untold})


class TestManyGames:
    """A judged problem with 120 hidden games, as seen by somebody with a role in the contest."""

    @pytest.fixture
    def long(self, client: Client) -> Match:
        match = any_match(games.get("even_steven"), 120)
        client.force_login(match.contest.roles.get().user)
        return match

    def test_who_may_not_know_of_hidden_games_is_led_to_none(self, client: Client, long: Match) -> None:
        client.logout()
        known = len(long.contest.game.sample)
        address = reverse("replay", args=[long.pk, 1])
        assert client.get(address, {"game": "77"})["Location"] == reverse("replay", args=[long.pk, known])
        assert f"of {known + 120}" not in client.get(address).content.decode()

    def test_a_bot_with_a_name_of_its_own_is_shown_with_its_team(self, client: Client, match: Match) -> None:
        seat = match.seats.get(index=0)
        own = match.record.loaded()["seats"][0]["name"]
        replay = reverse("replay", args=[match.pk, 1])
        assert f"{own} (" not in client.get(replay).text
        MatchSeat.objects.filter(pk=seat.pk).update(own_name=own)
        Team.objects.filter(pk=seat.team_id).update(name="Team of Bob")
        assert f"Team of Bob ({own})" in client.get(replay).text
        assert "Team of Bob" not in client.get(reverse("record", args=[match.pk])).text
        Team.objects.filter(pk=seat.team_id).update(name=own.upper())
        assert f"({own})" not in client.get(replay).text, "twice the same name"


class TestReplay:
    def test_it_starts_at_the_deal_and_tells_nothing_of_the_end(self, client: Client, match: Match) -> None:
        answer = client.get(reverse("replay", args=[match.pk, 1]))
        assert answer.status_code == 200
        assert answer.context["step"].ply == 1  # the first deal

    def test_an_answer_is_never_markup(self, client: Client, match: Match) -> None:
        page = client.get(reverse("replay", args=[match.pk, 1]), {"ply": str(fault_ply(match))}).text
        assert "&lt;b&gt;h9&lt;/b&gt;" in page
        assert "<b>h9</b>" not in page


class TestWaiting:
    @pytest.mark.parametrize("state", ["queued", "running", "void"])
    def test_a_match_that_is_not_played_has_a_friendly_page(self, client: Client, waiting: Match, state: str) -> None:
        Match.objects.filter(pk=waiting.pk).update(state=state)
        assert client.get(reverse("replay", args=[waiting.pk, 1])).status_code == 200
        assert client.get(reverse("replay", args=[waiting.pk, 2])).status_code == 404
        assert client.get(reverse("record", args=[waiting.pk])).status_code == 404
        assert client.get(reverse("game-log", args=[waiting.pk, 1, "te.log"])).status_code == 404

    def test_a_void_match_that_was_played_can_still_be_seen(self, client: Client, match: Match) -> None:
        stagecraft.void(match, "The hall lost its power.")
        page = client.get(reverse("replay", args=[match.pk, 1]))
        assert page.status_code == 200
        assert "The hall lost its power." in page.text


class TestDownloads:
    def test_the_record_is_the_one_that_is_kept_and_verifies(self, client: Client, match: Match) -> None:
        answer = client.get(reverse("record", args=[match.pk]))
        assert answer["Content-Type"] == "application/json"
        assert answer["Content-Disposition"] == f'attachment; filename="match-{match.pk}.json"'
        assert answer.text == match.record.text()
        assert records.verify(records.loads(answer.content)) is None

    def test_te_log(self, client: Client, match: Match) -> None:
        for game in (1, 2):
            answer = client.get(reverse("game-log", args=[match.pk, game, "te.log"]))
            assert answer["Content-Type"] == "text/plain; charset=utf-8"
            assert answer["Content-Disposition"] == f'attachment; filename="te-{match.pk}-{game}.log"'
            assert answer.text == records.log(match.record.loaded(), game)


class TestWhoSees:
    def everybody(self, cast: Cast) -> dict[str, User | None]:
        names = ("ada", "olga", "judy", "root", "alice", "bob", "carl", "zoe")
        return {"stranger": None, **{name: getattr(cast, name) for name in names}}

    def test_debug_output_is_for_its_team_and_for_roles(self, cast: Cast, match: Match) -> None:
        for name, user in self.everybody(cast).items():
            url = reverse("replay", args=[match.pk, 1])
            shown = visitor(user).get(url, {"debug": "1"}).text
            page = visitor(user).get(url, {"ply": str(fault_ply(match))}).text
            roles = name in ("ada", "olga", "judy", "root")
            assert ("aces think" in shown) == (roles or name in ("alice", "bob")), name
            assert ("clubs think" in shown) == (roles or name == "carl"), name
            assert ("clubs think" in page) == (roles or name == "carl"), name

    def test_the_worker_and_its_errors_are_for_roles(self, cast: Cast, match: Match) -> None:
        Match.objects.filter(pk=match.pk).update(worker="host-17", last_error="bwrap: no", failures=1, attempt=2)
        url = reverse("match", args=[match.pk])
        assert "host-17" in visitor(cast.judy).get(url).text
        assert "bwrap: no" in visitor(cast.ada).get(url).text
        for user in (None, cast.alice, cast.zoe):
            page = visitor(user).get(url).text
            assert "host-17" not in page
            assert "bwrap: no" not in page
