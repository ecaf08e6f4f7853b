"""The Django admin: every model can be viewed, nothing can be changed."""

import pytest
from django.contrib import admin
from django.urls import reverse

from tests.cast import make_user
from tests.tournaments.practice.gym import play_with_house
from tests.tournaments.stagecraft import Hall, play_out
from tournaments.clock import periodic
from tournaments.models import (
    Arrears,
    BotLog,
    CasualGame,
    CasualMove,
    CasualSeat,
    Client,
    EarlierSpan,
    FeedPlace,
    Follow,
    FollowSettings,
    FromHere,
    LadderTold,
    MatchSeat,
    NewsItem,
    Note,
    Placement,
    Played,
    PrunedRecord,
    Rehearsal,
    Retention,
    Review,
    Tally,
    Trial,
    Webhook,
)
from tournaments.practice import orders

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db]
SECRETIVE = (CasualGame, CasualSeat, CasualMove)
MODELS = [model for model in admin.site._registry if model._meta.app_label == "tournaments"]


@pytest.fixture
def root(client):
    hall = Hall(teams=4)
    stage = hall.stage()
    play_out(stage)
    Client.objects.create(team=hall.teams[0], token="sesame")
    Review.objects.create(contest=hall.contest, stage=stage, reason="a fault of the referee")
    Rehearsal.objects.create(stage=stage)
    Tally.objects.get_or_create(stage=stage, team=hall.teams[0])
    periodic.tick()
    Arrears.objects.create(contest=hall.contest, number=1)
    EarlierSpan.objects.create(match=stage.matches.first(), counts_from=1, counts_until=2)
    webhook = Webhook.objects.create(contest=hall.contest, url="https://example.org/", secret="whsec_sesame")
    webhook.deliveries.create(message="msg_1", kind="test", payload="{}")
    order = orders.place(hall.teams[0], None, orders.Wish(games=1))
    play_with_house(order)
    Placement.objects.create(order=order, submission=order.players.get(number=0).submission)
    Trial.objects.create(order=order, low=0, high=1, cap=1).pairs.create(number=1)
    PrunedRecord.objects.create(match=stage.matches.last(), sha256="0" * 64, why="It is old.")
    Retention.objects.create(contest=hall.contest, latest=9, days=0)
    BotLog.of(MatchSeat.objects.first(), [(3, "thinking")]).save()
    spectate(hall, stage, order)
    client.force_login(make_user(is_staff=True, is_superuser=True))
    return client


def spectate(hall, stage, order):
    """What people do beside a contest: play, write, follow, and are told of it."""
    match, team = stage.matches.first(), hall.teams[0]
    FromHere.objects.create(order=order, match=match, ply=1, where="Trick 1", seat=0, past=[], decision="", chosen={})
    game = CasualGame.objects.create(
        game_slug="hearts", preset="mactech-1998", seed=7654321, key="sesame", code="sesame"
    )
    game.seats.create(index=0, kind="person", name="Ada", key="sesame")
    game.moves.create(number=1, seat=0, event={"event": "play", "card": "sesame"})
    Note.objects.create(contest=hall.contest, match=match, ply=1, where="Trick 1", author=hall.ada, text="sesame")
    Follow.objects.create(user=hall.ada, contest=hall.contest)
    FollowSettings.objects.create(user=hall.ada, key="sesame")
    NewsItem.objects.create(contest=hall.contest, name="1", kind="match", title="News", path="/")
    FeedPlace.objects.get_or_create(contest=hall.contest)
    Played.objects.get_or_create(match=match, team=team)
    LadderTold.objects.get_or_create(stage=stage, team=team)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_model_can_be_looked_at_and_not_changed(root, model):
    name = f"admin:tournaments_{model._meta.model_name}"
    assert root.get(reverse(f"{name}_changelist"), {"q": "1"}).status_code == 200
    row = reverse(f"{name}_change", args=[model.objects.first().pk])
    assert root.get(row).status_code == 200
    assert root.post(row, {}).status_code == 403
    assert root.get(reverse(f"{name}_add")).status_code == 403
    assert root.post(reverse(f"{name}_delete", args=[model.objects.first().pk]), {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("model", [Client, Webhook, FollowSettings, Note, *SECRETIVE], ids=lambda model: model.__name__)
def test_keys_and_what_is_not_for_everybody_are_not_shown(root, model):
    row = reverse(f"admin:tournaments_{model._meta.model_name}_change", args=[model.objects.get().pk])
    page = root.get(row).content
    assert b"sesame" not in page
    assert b"7654321" not in page


def test_every_model_is_there():
    from django.apps import apps

    assert set(MODELS) == set(apps.get_app_config("tournaments").get_models())
