"""The forms of stages: every option of every format can be set, and is saved as typed."""

from __future__ import annotations

import pytest
from django.forms import BooleanField
from django.http import QueryDict

import games
from tests.cast import make_contest, make_team
from tests.tournaments.stagecraft import Hall
from tournaments import formats, forms
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
