"""“Your bot from here”: a version in the real jail, at a position whose past is given."""

from __future__ import annotations

import pytest
from django.urls import reverse

import games
from contest.models import Contest, Team
from games import record as records
from games.engine import Event, Game
from games.record import Record
from tests.cast import make_contest
from tests.tournaments import scenes
from tests.tournaments.practice import gym
from tests.tournaments.practice.gym import armed, fresh, play_all, with_version
from tests.tournaments.visitors import visitor
from tournaments.models import FromHere, PracticeGame, PracticeOrder
from tournaments.organising import releases

pytestmark = pytest.mark.django_db

FIRST = "tricky_eights"
EVERY = [
    pytest.param(game, id=game.slug, marks=[pytest.mark.long("more")] if game.slug != FIRST else [])
    for game in games.GAMES.values()
]
State = PracticeOrder.State
FIRST = b"""import random
random.Random.choice = lambda self, cards: list(cards)[0]
random.Random.sample = lambda self, cards, k: list(cards)[:k]
random.choice, random.random = lambda cards: list(cards)[0], lambda: 0.9
"""
LAST = FIRST.replace(b"[0]", b"[-1]").replace(b"[:k]", b"[-k:]")


def kit(game: Game, choice: bytes) -> bytes:
    """The kit's random player without chance."""
    return choice + (game.folder / "kit" / "random_player.py").read_bytes()


def played(contest: Contest, team: Team) -> PracticeGame:
    """A game of the team's version, with the strongest house player in the other seats."""
    order = gym.order(team, games=1, seat=0)
    assert play_all() == 1
    return fresh(order).games.get()


def decisions(game: Game, record: Record, seat: int) -> list[int]:
    events: list[Event] = record["events"]
    return [ply for ply, it in enumerate(events) if it["event"] in game.decisions and it["seat"] == seat]


def ask(user: object, source: PracticeGame, ply: int, version: int, act: str = "decide") -> FromHere:
    url = reverse("from-practice", args=[source.order.contest.slug, source.order_id, source.number])
    answer = visitor(user).post(url, {"ply": ply, "version": version, "act": act})
    assert answer.status_code == 302, answer.text
    here = FromHere.objects.latest("pk")
    assert answer["Location"] == here.order.get_absolute_url()
    return here


@pytest.mark.parametrize("game", EVERY)
@pytest.mark.long("more")
def test_a_version_decides_as_it_did_and_another_one_otherwise(game: Game) -> None:
    contest = make_contest(game=game.slug, preset=game.presets[-1].name)
    (team,) = armed(contest, "Aces", source=kit(game, FIRST))
    with_version(team, 2, source=kit(game, LAST), active=False)
    source = played(contest, team)
    record, user = source.record.loaded(), team.people()[0].user
    assert not source.faults
    own = decisions(game, record, source.seat)
    at = own[min(3, len(own) - 1)]
    same, other = ask(user, source, at - 1, 2), ask(user, source, at - 1, 1)  # the newest one has played
    assert play_all() == 2
    for here in (same, other):
        here.refresh_from_db()
        assert (fresh(here.order).state, fresh(here.order).why) == (State.DONE, "")
        assert here.seat == source.seat
    assert same.answer["same"] is True
    assert same.answer["differs"] == []
    assert same.answer["ms"] > 0
    assert same.answer["text"] == same.decision
    assert visitor(user).get(same.order.get_absolute_url()).status_code == 200
    assert [(each["name"], each["own"]) for each in other.answer["differs"]] == [("Aces, version 1", True)]
    assert visitor(user).get(other.order.get_absolute_url()).status_code == 200
    replay = visitor(user).get(reverse("practice-game", args=[contest.slug, source.order_id, 1]), {"ply": at - 1}).text
    assert same.order.get_absolute_url() in replay


@pytest.mark.parametrize("game", EVERY)
def test_the_rest_of_the_game_is_played_out(game: Game) -> None:
    contest = make_contest(game=game.slug, preset=game.presets[-1].name)
    (team,) = armed(contest, "Aces", source=kit(game, FIRST))
    source = played(contest, team)
    record, user = source.record.loaded(), team.people()[0].user
    own = decisions(game, record, source.seat)
    at = own[len(own) // 2]
    here = ask(user, source, at - 1, 1, act="play")
    assert play_all() == 1
    here.refresh_from_db()
    whole: Record = here.order.games.get().record.loaded()
    assert records.verify(whole) is None

    def bare(events: list[Event]) -> list[Event]:
        return [{key: value for key, value in each.items() if key not in ("ms", "cpu_ms", "number")} for each in events]

    assert bare(whole["events"][: at + 1]) == bare(record["events"][: at + 1]), "the past, and the same decision"
    assert whole["events"][-1]["event"] == "result"
    assert here.answer["same"] is True
    page = visitor(user).get(here.order.get_absolute_url())
    assert visitor(user).get(page.context["seen"].replay).status_code == 200


# Who may ask, and where -----------------------------------------------------------------------------------------------


@pytest.fixture
def scene() -> tuple[Contest, Team, Team]:
    contest, (team, other) = gym.gym()
    return contest, team, other


def test_the_form_is_for_teams_at_matches_whose_deals_are_public(scene: tuple[Contest, Team, Team]) -> None:
    contest, team, other = scene
    match = scenes.play_match(scenes.stage_of(contest, "Cup").matches.get())
    page, url = reverse("replay", args=[match.pk, 1]), reverse("from-match", args=[match.pk, 1])
    user, owner = team.people()[0].user, contest.roles.get().user
    assert f'action="{url}"' in visitor(user).get(page, {"ply": 8}).text
    for who in (None, owner):
        assert url not in visitor(who).get(page).text
        assert visitor(who).post(url, {"ply": 8, "version": 1}).status_code == 404
    assert visitor(user).get(url).status_code == 405
    answer = visitor(user).post(url, {"ply": 8, "version": 1, "act": "decide"})
    here = FromHere.objects.get()
    assert answer["Location"] == here.order.get_absolute_url()
    assert here.match == match
    stranger, mate = other.people()[0].user, owner
    assert visitor(stranger).get(here.order.get_absolute_url()).status_code == 404
    assert visitor(mate).get(here.order.get_absolute_url()).status_code == 200
    assert play_all() == 1
    here.refresh_from_db()
    assert here.answer["text"]
    assert not hasattr(here.order.games.get(), "record")

    late = visitor(user).post(url, {"ply": 99999, "version": 1})
    wrong = visitor(user).post(url, {"ply": 8, "version": 77})
    assert (late.status_code, wrong.status_code) == (422, 422)

    releases.freeze(contest, owner)
    releases_hidden = scenes.stage_of(contest, "Second").matches.first()
    assert releases_hidden is not None
    hidden = scenes.play_match(releases_hidden)
    url = reverse("from-match", args=[hidden.pk, 1])
    assert visitor(user).post(url, {"ply": 8, "version": 1}).status_code == 404


def test_other_teams_games_are_not_asked_about(scene: tuple[Contest, Team, Team]) -> None:
    contest, team, other = scene
    source = gym.order(other, games=1)
    gym.play_with_house(source)
    url = reverse("from-practice", args=[contest.slug, source.pk, 1])
    assert visitor(team.people()[0].user).post(url, {"ply": 8, "version": 1}).status_code == 404
