"""The Django admin: every model can be viewed, nothing can be changed."""

import pytest
from django.contrib import admin
from django.urls import reverse

from tests.cast import make_user
from tests.tournaments.practice.gym import play_with_house
from tests.tournaments.stagecraft import Hall, play_out
from tournaments.clock import periodic
from tournaments.models import Arrears, BotLog, Client, EarlierSpan, MatchSeat, Rehearsal, Review, Tally, Trial, Webhook
from tournaments.practice import orders

pytestmark = pytest.mark.django_db
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
    Trial.objects.create(order=order, low=0, high=1, cap=1).pairs.create(number=1)
    BotLog.of(MatchSeat.objects.first(), [(3, "thinking")]).save()
    client.force_login(make_user(is_staff=True, is_superuser=True))
    return client


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_model_can_be_looked_at_and_not_changed(root, model):
    name = f"admin:tournaments_{model._meta.model_name}"
    assert root.get(reverse(f"{name}_changelist"), {"q": "1"}).status_code == 200
    row = reverse(f"{name}_change", args=[model.objects.first().pk])
    assert root.get(row).status_code == 200
    assert root.post(row, {}).status_code == 403
    assert root.get(reverse(f"{name}_add")).status_code == 403
    assert root.post(reverse(f"{name}_delete", args=[model.objects.first().pk]), {"post": "yes"}).status_code == 403


def test_the_token_of_a_program_and_the_secret_of_a_webhook_are_not_shown(root):
    for model in (Client, Webhook):
        row = reverse(f"admin:tournaments_{model._meta.model_name}_change", args=[model.objects.get().pk])
        assert b"sesame" not in root.get(row).content


def test_every_model_is_there():
    from django.apps import apps

    assert set(MODELS) == set(apps.get_app_config("tournaments").get_models())
