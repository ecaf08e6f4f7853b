"""Creating, editing, ending and deleting a contest on the portal's own pages."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from contest import languages, presets
from contest.models import Contest
from contest.setup_forms import LOCAL
from tests.cast import Cast, make_contest
from tests.contest.test_forms import typed_contest
from tests.contest.test_views import text_of
from tests.tournaments.visitors import visitor

OPTIONS = {"option-target": "300", "option-time_limit": "4", "option-disqualify": "on"}


def typed(**changes: Any) -> dict[str, Any]:
    return {**dict(typed_contest().lists()), **OPTIONS, **changes}


def new(user: Any, **changes: Any) -> Any:
    data = {"preset": "tricky_eights:utah-1998", **typed(**changes)}
    return visitor(user).post(reverse("contest-new"), data, follow=True)


# Creating -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", [f"{game.slug}:{preset.name}" for game, preset in presets.choices()])
def test_a_contest_of_every_preset_is_made_as_its_form_stands(cast: Cast, key: str) -> None:
    page = visitor(cast.root).get(reverse("contest-new"), {"preset": key})
    shown = [*page.context["form"], *page.context["options"]]
    assert all(field.label for field in shown)
    data: dict[str, Any] = {"preset": key}
    for field in shown:
        value = field.value()
        if isinstance(value, bool):
            data |= {field.html_name: "on"} if value else {}
        elif value is not None:
            data[field.html_name] = value if isinstance(value, list) else field.field.prepare_value(value)
    data["name"] = f"Cup of {key}"
    response = visitor(cast.root).post(reverse("contest-new"), data, follow=True)
    assert response.status_code == 200
    contest = Contest.objects.get(name=f"Cup of {key}")
    game, preset = presets.find(key)
    assert (contest.game, contest.preset, contest.options) == (game, preset.name, {})
    assert contest.languages == (list(preset.languages) or languages.installed())
    assert contest.full_options() == game.options({}, preset.name)
    assert visitor(cast.root).get(reverse("desk-settings", args=[contest.slug])).status_code == 200
    assert visitor(cast.root).get(reverse("rules", args=[contest.slug])).status_code == 200


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, "This field is required."),
        ({"entry_deadline": "2026-08-01T00:00"}, "Entry must close after the contest opens."),
        ({"option-target": "0"}, "Target is a whole number of points"),
        ({"languages": []}, "This field is required."),
    ],
)
def test_what_cannot_be_made_says_why_and_keeps_the_rest(cast: Cast, changes: dict[str, Any], words: str) -> None:
    response = new(cast.root, **{"blurb": "kept as typed", **changes})
    assert response.status_code == 422
    assert words in text_of(response)
    assert 'value="kept as typed"' in response.content.decode()
    assert Contest.objects.count() == 1


# Editing --------------------------------------------------------------------------------------------------------------


def settings_of(contest: Contest) -> dict[str, Any]:
    """What the browser sends if nothing was changed."""
    local = lambda moment: timezone.localtime(moment).strftime(LOCAL)  # noqa: E731
    data = typed(
        name=contest.name,
        opens_at=local(contest.opens_at),
        entry_deadline=local(contest.entry_deadline),
        upload_deadline=local(contest.upload_deadline),
        languages=contest.languages,
    )
    return data | {name: "on" for name in ("one_file", "needs_strategy") if getattr(contest, name)}


def save(cast: Cast, user: Any = None, **changes: Any) -> Any:
    url = reverse("desk-settings", args=[cast.contest.slug])
    return visitor(user or cast.olga).post(url, {**settings_of(cast.contest), **changes}, follow=True)


def test_settings_are_changed_and_recorded(cast: Cast) -> None:
    later = timezone.localtime(cast.contest.upload_deadline + timedelta(days=1)).strftime(LOCAL)
    said = save(cast, memory_mb="32", upload_deadline=later, visibility="private", **{"option-target": "99"})
    assert "Saved." in text_of(said)
    act = cast.contest.acts.first()
    assert act is not None
    assert set(act.data["changes"]) == {"memory_mb", "upload_deadline", "visibility", "options"}
    cast.contest.refresh_from_db()
    assert cast.contest.full_options()["target"] == 99
    assert cast.contest.visibility == "private"


def test_a_refused_form_does_not_show_what_was_not_saved(cast: Cast) -> None:
    response = save(cast, name="Renamed", entry_deadline="soon")
    assert response.status_code == 422
    html = response.content.decode()
    assert 'value="Renamed"' in html
    assert "<title>Settings · Desk · Spring Cup" in html


def test_judges_read_the_settings(cast: Cast) -> None:
    html = visitor(cast.judy).get(reverse("desk-settings", args=[cast.contest.slug])).content.decode()
    assert html.count(" disabled") >= 15
    assert save(cast, cast.judy).status_code == 403


# Ending and deleting --------------------------------------------------------------------------------------------------


def post(user: Any, page: str, contest: Contest, **data: str) -> str:
    return text_of(visitor(user).post(reverse(page, args=[contest.slug]), data, follow=True))


def test_an_empty_contest_is_deleted_by_its_name(cast: Cast) -> None:
    contest = make_contest(cast.ada, "Mistake")
    assert "Delete the contest" in visitor(cast.ada).get(reverse("desk-settings", args=[contest.slug])).content.decode()
    assert "type its name exactly" in post(cast.ada, "desk-delete", contest, name="mistake")
    assert "deleted “Mistake”" in post(cast.ada, "desk-delete", contest, name="Mistake")
    assert not Contest.objects.filter(pk=contest.pk).exists()
