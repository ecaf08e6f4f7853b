"""From entering to the end of a contest, its page always has a next step."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from contest import contests
from contest.models import Team
from submissions.models import Submission
from tests.cast import make_cast
from tests.tournaments import scenes
from tests.tournaments.pages.test_pages import text_of
from tests.tournaments.stagecraft import by_strength, finish, give_bot
from tournaments.models import Match
from tournaments.templatetags.stage_tags import stages_ahead

pytestmark = pytest.mark.django_db


def test_every_stage_of_a_contest_has_one() -> None:
    cast = make_cast(options={"target": 10})
    strangers, carl, zoe = Client(), Client(), Client()
    carl.force_login(cast.carl)
    zoe.force_login(cast.zoe)
    page = reverse("contest", args=[cast.contest.slug])
    enter = reverse("enter", args=[cast.contest.slug])

    def told(client: Client) -> str:
        return text_of(client.get(page).text)

    assert f'href="{enter}"' in strangers.get(page).text
    assert enter in zoe.get(page).text
    upload = reverse("my-team", args=[cast.contest.slug])
    assert upload in carl.get(page).text
    before = told(carl)
    version = give_bot(cast.clubs, active=False)
    Submission.objects.filter(pk=version.pk).update(state="rejected")
    assert told(carl) != before, "there is something to mend"

    Submission.objects.filter(pk=version.pk).update(state="ready", is_active=True)
    give_bot(cast.aces)
    html = carl.get(page).text
    order = carl.get(f"{reverse('practice', args=[cast.contest.slug])}?opponents=team:{cast.aces.pk}")
    assert f"?opponents=team:{cast.aces.pk}#order" in html
    assert order.status_code == 200

    for number, team in enumerate([cast.aces, cast.clubs], 1):
        Team.objects.filter(pk=team.pk).update(seed=number)
    stage = scenes.stage_of(cast.contest, table_size=2)
    assert "Play-offs" in told(carl)
    reader = carl.get(page).context
    assert stages_ahead(reader, cast.clubs) == [stage]
    assert stages_ahead(reader, cast.clubs, newer=True) == [], "its versions are fixed"
    assert [it.get(stage.get_absolute_url()).context["mine"] for it in (carl, strangers)] == [cast.clubs.pk, None]
    match = Match.objects.get(stage=stage)
    finish(match, by_strength(match))
    words = told(carl)
    assert "2nd in Play-offs" in words
    assert "Aces" in words[words.index("Champion") :]
    contests.end(cast.contest, cast.ada, "all played")
    assert "2nd in Play-offs" in told(carl)
    assert enter not in strangers.get(page).text
