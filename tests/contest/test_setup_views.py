"""Creating, editing, ending and deleting a contest on the portal's own pages."""

from typing import Any

import pytest
from django.urls import reverse

from contest import languages, presets
from contest.models import Contest
from tests.cast import Cast
from tests.tournaments.visitors import visitor


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
