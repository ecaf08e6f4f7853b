"""The forms of stages: every option of every format can be set, and is saved as typed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.forms import BooleanField
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

import games
from tests.cast import make_contest, make_team
from tests.contest.test_views import text_of
from tests.tournaments.stagecraft import Hall
from tournaments import formats, forms
from tournaments.models import Stage
from tournaments.organising import stages

pytestmark = pytest.mark.django_db

ALL = [(game, format) for game in games.GAMES.values() for format in formats.fitting(game)]
FIRST = {format.slug: (game, format) for game, format in reversed(ALL)}.values()  # a game for each format
FOLLOWS = {"seats", "matches"}  # derived options


def filled(form):
    """What a browser sends for an unchanged form."""
    data = QueryDict(mutable=True)
    for bound in form:
        value = bound.value()
        if isinstance(bound.field, BooleanField):
            if value:
                data[bound.name] = "on"
        elif isinstance(value, list | tuple):
            data.setlist(bound.name, list(map(str, value)))
        elif value is not None:
            data[bound.name] = str(getattr(value, "pk", value))
    return data


def form_of(contest, format, data=None, stage=None):
    cls = forms.form_of(contest, format)
    initial = {**cls.defaults(contest), **(forms.initial_of(stage) if stage else {})}
    return cls(contest, stage, data, initial=initial)


def send(contest, format, stage=None, **changes):
    data = filled(form_of(contest, format, stage=stage))
    for name, value in changes.items():
        data.setlist(name, list(map(str, value)) if isinstance(value, list) else [str(value)])
    return form_of(contest, format, data, stage)


@pytest.mark.parametrize(
    ("game", "format"),
    [pytest.param(*each, marks=[] if each in FIRST else pytest.mark.long("more")) for each in ALL],
    ids=[f"{game.slug}-{format.slug}" for game, format in ALL],
)
class TestEveryFormat:
    def contest(self, game):
        contest = make_contest(game=game.slug, preset=game.presets[-1].name)
        for _ in range(5):
            make_team(contest)
        return contest

    def test_as_it_stands_it_makes_a_stage(self, game, format):
        contest = self.contest(game)
        form = send(contest, format.slug)
        assert form.is_valid(), form.errors
        stage = stages.create(contest, None, form.wish())
        assert stage.format == format.slug
        assert form.said(stage)
        again = send(contest, format.slug, stage)
        assert again.is_valid(), again.errors
        assert stages.checked(contest, again.wish(), stage).options == stage.options

    def test_every_option_is_asked_for_or_follows(self, game, format):
        form = form_of(self.contest(game), format.slug)
        unasked = (
            set(format.options({"draw": 1} if format.kind == "judged" else {}, game))
            - set(form.option_names())
            - FOLLOWS
        )
        expected = {"freeze_versions"} if format.kind == "ladder" else set()
        if format.slug == "combinations" and not game.decides:
            expected = {"games"}
        assert unasked == expected
        shown = {it.field.name for _, fields in form.sections() for it in fields}
        if format.kind == "planned":
            shown |= {it.field.name for it in form.beside_timetable()}
            rows = form.timetable_rows()
            shown |= {field.name for row in rows for field in (*row.fields.values(), row.release_at) if field}
        fields = {name for name in form.fields if not name.startswith("place_")}
        assert shown == fields - {"at_once"}, "every field is on the page"


class TestEntrants:
    def hall(self):
        hall = Hall(teams=6)
        return hall, hall.stage(start=False)

    @pytest.mark.parametrize(
        ("changes", "field", "text"),
        [
            ({"entry": "best", "source": ""}, "source", "Choose the stage"),
            ({"seeding": "source", "source": ""}, "source", "Choose the earlier stage"),
            ({"starts_after": "on", "source": ""}, "source", "Choose the earlier stage"),
            ({"entry": "invited"}, "invited", "Invite at least one team."),
            ({"entry": "everybody"}, "entry", "Select a valid choice"),
            ({"best": 0, "entry": "best"}, "best", "greater than or equal to 1"),
        ],
    )
    def test_what_is_missing_is_said_beside_the_field(self, changes, field, text):
        hall, _ = self.hall()
        form = send(hall.contest, "swiss", **changes)
        assert not form.is_valid()
        assert text in str(form.errors[field])


class TestFormats:
    @pytest.mark.parametrize(
        ("format", "changes", "text"),
        [
            ("single_elimination", {"table_size": 2, "advance": 2}, "Only one team can advance"),
            ("single_elimination", {"table_size": 4, "best_of": 3}, "Only tables of two"),
            ("round_robin", {"home_and_away": "on", "duplicate": "on"}, "Choose one"),
            ("round_robin", {"win": 1, "tie": 2}, "A win must be worth more than a tie."),
            ("round_robin", {"win": 1, "tie": 1}, "A win must be worth more than a tie."),
            ("round_robin", {"win": 0, "tie": 0}, "A win must be worth more than a tie."),
            ("ladder", {"starts_at": "2030-01-02T10:00", "ends_at": "2030-01-02T09:00"}, "after the start"),
        ],
    )
    def test_what_does_not_go_together(self, format, changes, text):
        form = send(Hall(teams=4).contest, format, **changes)
        assert not form.is_valid()
        assert text in str(form.errors)


class TestPage:
    def test_the_format_is_chosen_and_its_fields_follow(self, client):
        hall = Hall(teams=6)
        client.force_login(hall.ada)
        address = reverse("desk-stage-new", args=[hall.contest.slug])
        page = client.get(address)
        assert [each.slug for each in page.context["fitting"]] == [
            *("single_elimination", "swiss", "round_robin", "combinations", "ladder")
        ]
        assert page.context["chosen"].slug == "single_elimination"
        swiss = client.get(address, {"format": "swiss"})
        assert "Rounds" in swiss.text
        assert 'name="advance"' not in swiss.text
        assert client.get(address, {"format": "judged_set"}).status_code == 404
        assert client.get(address, {"format": "chess"}).status_code == 404

    def test_recalculating_creates_nothing(self, client):
        hall = Hall(teams=8)
        client.force_login(hall.ada)
        address = reverse("desk-stage-new", args=[hall.contest.slug])
        data = filled(form_of(hall.contest, "swiss"))
        data.update({"format": "swiss", "rounds": "5", "look": "1"})
        page = client.post(address, data)
        budget = page.context["budget"]
        assert (budget.teams, budget.rounds, budget.matches) == (8, 5, 10)
        assert "10 matches" in text_of(page)
        assert not Stage.objects.exists()

    def test_a_ladder_is_stopped_and_its_end_moved(self, client):
        hall = Hall(teams=4)
        stage = stages.create(hall.contest, hall.ada, stages.Wish("Ladder", "ladder"))
        stages.start(stage, hall.ada)
        client.force_login(hall.ada)
        page = client.get(reverse("desk-stage", args=[hall.contest.slug, stage.pk]))
        assert reverse("desk-stage-shorten", args=[hall.contest.slug, stage.pk]) in page.text
        form = client.get(reverse("desk-stage-new", args=[hall.contest.slug]), {"format": "ladder"})
        assert form.context["form"].initial["pause"] == 30
        assert "matches an hour" in form.text
        later = timezone.localtime() + timedelta(hours=3)
        move = reverse("desk-stage-reschedule", args=[hall.contest.slug, stage.pk])
        client.post(move, {"ends_at": f"{later:%Y-%m-%dT%H:%M}", "final_minutes": "5", "pause": "40"})
        stage.refresh_from_db()
        assert (stage.options["final_minutes"], stage.options["pause"]) == (5, 40)
        told = hall.contest.acts.filter(verb="change stage").latest("pk").data["changes"]
        assert len(told) == 3
        assert ["0", "40"] in told.values(), "the pause"
        assert stage.ends_at == later.replace(second=0, microsecond=0)
        past = client.post(move, {"ends_at": "2020-01-01T10:00", "final_minutes": "5", "pause": "40"}, follow=True)
        assert "in the past" in past.text
        bad = client.post(move, {"final_minutes": "5", "pause": "-1"}, follow=True)
        assert "Rest between matches, in seconds: Ensure this value is greater" in bad.text
        client.post(
            reverse("desk-stage-shorten", args=[hall.contest.slug, stage.pk]), {"resets": 0, "reason": "Time is up."}
        )
        stage.refresh_from_db()
        assert stage.ends_at <= timezone.now()
