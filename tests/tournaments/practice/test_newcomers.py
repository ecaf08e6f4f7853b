"""From an upload to the first practice game, with real workers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from contest.models import Contest
from submissions import intake
from submissions.intake import Upload
from submissions.models import Submission
from tests.cast import make_contest, make_team
from tests.programs import browser
from tests.waiting import wait_for
from tournaments.demo import demos
from tournaments.models import PracticeGame

pytestmark = [pytest.mark.long("machines"), pytest.mark.django_db(transaction=True)]

Start = Callable[..., Any]


def test_the_first_bot_of_a_newcomer_plays_by_itself(celery_worker_process: Start) -> None:
    """In a contest like the demo, with the kit's bot as it is, by the pages."""
    like = demos.UTAH
    contest = make_contest(game=like.game, preset=like.preset, languages=["cpp", "python"], memory_mb=64)
    assert Contest.objects.get(pk=contest.pk).practice == "open"
    team = make_team(contest, name="Newcomers")
    captain = team.people()[0].user
    celery_worker_process(concurrency=2)
    source = (contest.game.folder / "kit" / "random_player.py").read_bytes()
    intake.receive(team, captain, [Upload("random_player.py", source)], Upload("why.txt", b"At random.\n"))
    wait_for(lambda: Submission.objects.get(team=team).is_ready, seconds=120)
    client: Client = browser(captain)
    here = reverse("practice", args=[contest.slug])
    form = client.get(here).context["form"]
    chosen = [key for _, key in form.rows()]
    answer = client.post(here, {"version": "newest", "games": form["games"].value(), "opponents": chosen})
    assert answer.status_code == 302, answer.text
    wait_for(lambda: PracticeGame.objects.done().exists())
    played = PracticeGame.objects.done().order_by("pk")[0]
    replay = reverse("practice-game", args=[contest.slug, played.order_id, played.number])
    assert replay in client.get(answer["Location"]).text
    assert client.get(replay).status_code == 200
