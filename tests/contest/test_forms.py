"""What people type: single-line names, seed numbers as copied from spreadsheets, dates in order, options of the
game."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.http import QueryDict
from django.utils import timezone

import games
from contest import presets
from contest.forms import (
    AnnouncementForm,
    NoticeForm,
    QuestionForm,
    ReasonForm,
    SeedsPasteForm,
)
from contest.models import Contest
from contest.setup_forms import ContestForm, OptionsForm, option_label
from tests.cast import Cast


@pytest.mark.parametrize(("typed", "kept"), [(" a  b\t", "a b"), ("\u200b", None), ("a\x00b", None), ("x" * 301, None)])
def test_a_reason_is_one_visible_line(typed: str, kept: str | None) -> None:
    form = ReasonForm({"reason": typed})
    assert form.is_valid() == (kept is not None)
    assert form.cleaned_data.get("reason") == kept


def test_what_is_followed_as_a_link_has_a_visible_character(cast: Cast) -> None:
    """Django's own fields accept text that no reader can see or click."""
    for name, form in (
        ("title", AnnouncementForm({"title": "\u200b", "text": "Doors open at nine."})),
        ("subject", QuestionForm({"subject": "\u200b", "text": "Who wins a tie?"})),
        ("subject", NoticeForm(cast.contest, {"subject": "\u200b", "text": "Look at the log.", "team": cast.aces.pk})),
    ):
        assert "visible character" in form.errors[name][0]


# Seed numbers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "1, Aces\n2, Clubs",
        "Aces, 1\nClubs, 2",
        "1\tAces\r\n2\tClubs\r\n",
        "1;aces\n\n2;CLUBS",
        '"Aces",1\n"Clubs",2',
        '"1,0",Aces\n"2,0","Clubs"',
        "  1 ,  Aces  \n 2,Clubs",
        "1.0, Aces\n2.0, Clubs",
        "1,0; Aces\n2,0; Clubs",
        "Aces\t1.00\nClubs\t2",
        "\ufeffsep=;\r\n1;Aces;;\r\n2;Clubs;;",
        "Seed No.;TEAM;School\n1;Aces;North\n2;Clubs;2",
    ],
)
def test_pasted_seeds_are_read_however_they_come(cast: Cast, text: str) -> None:
    form = SeedsPasteForm(cast.contest, {"paste": text})
    assert form.is_valid(), form.errors
    assert form.cleaned_data["paste"] == {cast.aces.pk: 1, cast.clubs.pk: 2}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Aces", "separated by a comma"),
        ("x, y", "separated by a comma"),
        ("1, Nobody", "no team is called “Nobody”"),
        ("0, Aces", "1 to 9999"),
        ("10000, Aces", "1 to 9999"),
        ("1, Aces\n2, Aces", "Line 2: “Aces” appears twice"),
    ],
)
def test_a_bad_line_is_named(cast: Cast, text: str, why: str) -> None:
    form = SeedsPasteForm(cast.contest, {"paste": text})
    assert not form.is_valid()
    assert why in str(form.errors["paste"])


# A contest ------------------------------------------------------------------------------------------------------------


def typed_contest(**changes: Any) -> QueryDict:
    data: dict[str, Any] = {
        "name": "Autumn Cup",
        "visibility": "public",
        "opens_at": "2026-09-01T09:00",
        "entry_deadline": "2026-09-10T23:59",
        "upload_deadline": "2026-09-12T23:59",
        "languages": ["c", "cpp"],
        "memory_mb": "4",
        "startup_seconds": "5",
        "source_kb": "256",
        "uploads_per_hour": "12",
        "practice": "open",
        "practice_per_hour": "400",
        "team_size": "4",
        **changes,
    }
    typed = QueryDict(mutable=True)
    for name, value in data.items():
        typed.setlist(name, value if isinstance(value, list) else [value])
    return typed


@pytest.mark.parametrize(
    ("changes", "field", "why"),
    [
        ({"name": " \u200b "}, "name", "visible character"),
        ({"entry_deadline": "2026-09-01T09:00"}, "entry_deadline", "after the contest opens"),
        ({"upload_deadline": "2026-08-01T09:00"}, "upload_deadline", "after the contest opens"),
        ({"upload_deadline": "2026-09-09T09:00"}, "upload_deadline", "cannot close before entry"),
        ({"opens_at": "soon"}, "opens_at", "valid date"),
        ({"languages": []}, "languages", "required"),
        ({"languages": ["cobol"]}, "languages", "cobol"),
        ({"memory_mb": "0"}, "memory_mb", "greater than or equal to 1"),
        ({"languages": ["c", "python"]}, "memory_mb", "Python needs at least 16 MB"),
        ({"memory_mb": "9000"}, "memory_mb", "less than or equal to 8192"),
        ({"team_size": "0"}, "team_size", "greater than or equal to 1"),
        ({"startup_seconds": "0"}, "startup_seconds", "0.1"),
        ({"source_kb": "5000"}, "source_kb", "4096"),
        ({"visibility": "secret"}, "visibility", "valid choice"),
    ],
)
def test_what_cannot_be_is_said_beside_its_field(changes: dict[str, Any], field: str, why: str) -> None:
    form = ContestForm(typed_contest(**changes))
    assert not form.is_valid()
    assert why in str(form.errors[field])


def test_an_hour_that_comes_twice_is_the_first_unless_nothing_was_changed(cast: Cast) -> None:
    """In Berlin the clocks go back on 25 October 2026 at 03:00, which is 01:00 UTC."""
    with timezone.override("Europe/Berlin"):
        changes = {"time_zone": "Europe/Berlin", "entry_deadline": "2026-10-25T02:30"}
        form = ContestForm(typed_contest(**changes, upload_deadline="2026-10-25T02:30"))
        assert form.is_valid(), form.errors
        assert form.cleaned_data["entry_deadline"].isoformat() == "2026-10-25T00:30:00+00:00"
        contest = Contest.objects.get(pk=cast.contest.pk)
        contest.time_zone = "Europe/Berlin"
        contest.entry_deadline = contest.upload_deadline = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
        form = ContestForm(typed_contest(**changes, upload_deadline="2026-10-25T03:30"), instance=contest)
        assert form.is_valid(), form.errors
        assert form.cleaned_data["entry_deadline"].isoformat() == "2026-10-25T01:30:00+00:00", "it was not changed"
        assert form.cleaned_data["upload_deadline"].isoformat() == "2026-10-25T02:30:00+00:00"
        gap = ContestForm(typed_contest(**changes, upload_deadline="2027-03-28T02:30"))
        assert "There is no 02:30 on 28 March in Europe/Berlin" in str(gap.errors["upload_deadline"])


# Options of a game ----------------------------------------------------------------------------------------------------


def options_form(**typed: str) -> OptionsForm:
    game, preset = presets.find("tricky_eights:utah-1998")
    return OptionsForm(game, preset.name, {f"option-{name}": value for name, value in typed.items()})


def test_only_what_differs_from_the_preset_is_kept() -> None:
    form = options_form(target="300", time_limit="2.5", disqualify="on")
    assert form.is_valid(), form.errors
    assert form.changes() == {"time_limit": 2.5}


@pytest.mark.parametrize("typed", [{"target": "0"}, {"target": "12.5"}, {"time_limit": "-1"}])
def test_the_game_itself_judges_its_options(typed: dict[str, str]) -> None:
    form = options_form(**{"target": "300", "time_limit": "4", **typed})
    assert not form.is_valid()
    assert str(form.non_field_errors())


@pytest.mark.parametrize("typed", ["", "many", "nan", "inf"])
def test_what_is_no_number_is_said_beside_the_field(typed: str) -> None:
    form = options_form(target=typed, time_limit="4")
    assert not form.is_valid()
    assert form.errors["target"]


@pytest.mark.parametrize("game", games.GAMES.values(), ids=lambda game: game.slug)
def test_every_option_of_every_preset_has_a_field_and_survives_it(game: Any) -> None:
    for preset in game.presets:
        unbound = OptionsForm(game, preset.name)
        left_out = {name for name, option in game.option_fields.items() if option.default is not None}
        assert set(unbound.fields) == {*preset.options, *left_out}
        typed = {field.html_name: str(field.initial) for field in unbound if field.initial is not False}
        form = OptionsForm(game, preset.name, typed)
        assert form.is_valid(), form.errors
        assert form.changes() == {}
        for name in preset.options:
            told = game.option_fields[name]
            assert told.label == told.label.strip() == option_label(game, name)
            assert told.label[0].isupper()
            assert told.help in str(unbound[name].help_text)


def test_an_option_that_presets_leave_out_is_kept_only_where_it_is_changed() -> None:
    game = games.get("hearts")
    typed = {"option-target": "100", "option-time_limit": "5", "option-disqualify": "on"}
    for written, changes in {"1": {}, "1.0": {}, "0.5": {"points_per_ms": 0.5}, "0": {"points_per_ms": 0}}.items():
        form = OptionsForm(game, "mactech-1998", {**typed, "option-points_per_ms": written})
        assert form.is_valid(), form.errors
        assert form.changes() == changes
    assert not OptionsForm(game, "mactech-1998", {**typed, "option-points_per_ms": "-1"}).is_valid()
    kept = OptionsForm(game, "mactech-1998", options=game.options({"points_per_ms": 0.5}))
    assert kept["points_per_ms"].initial == 0.5
    assert "Preset: 1." in str(kept["points_per_ms"].help_text)
