"""Public downloads contain what their pages show, and nothing that is hidden from their reader."""

import csv
import io
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest.models import Contest, Team
from tests.tournaments.courtroom import HIDDEN, Courtroom
from tests.tournaments.stagecraft import Hall, finish, play_out, rows_of
from tournaments.models import Match, MatchSeat, Stage
from tournaments.organising import stages
from tournaments.results import standings
from tournaments.results.visibility import everything

pytestmark = pytest.mark.django_db


def table(name: str, contest: Contest, user: Any = None, **query: Any) -> list[dict[str, str]]:
    client = Client()
    if user:
        client.force_login(user)
    answer = client.get(reverse(name, args=[contest.slug]), query)
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode())))


@pytest.fixture
def hall() -> Hall:
    hall = Hall(teams=5)
    play_out(hall.stage(), Random(1))
    hall.contest.refresh_from_db()
    return hall


def test_everybody_takes_the_standings_and_the_matches(hall: Hall) -> None:
    lines = table("standings-csv", hall.contest)
    assert [it["team"] for it in lines] == [it.team.name for it in standings.of_contest(everything(hall.contest))]
    stage = Stage.objects.get()
    lines = table("standings-csv", hall.contest, stage=stage.pk)
    assert [it["team"] for it in lines] == [it.team.name for it in rows_of(stage)]
    assert len(table("matches-csv", hall.contest)) == MatchSeat.objects.count()


def test_results_after_a_freeze_are_in_no_public_table(hall: Hall) -> None:
    first, *later = Match.objects.order_by("finished_at")
    moment = timezone.now() - timedelta(hours=1)
    Match.objects.filter(pk=first.pk).update(
        created_at=moment - timedelta(minutes=9), finished_at=moment - timedelta(minutes=5)
    )
    Stage.objects.update(started_at=moment - timedelta(minutes=9))
    Contest.objects.update(frozen_from=moment, frozen_number=first.resulted)
    assert later
    seen = table("matches-csv", hall.contest)
    assert {it["match"] for it in seen} == {str(first.pk)}
    assert (
        sum(int(it["matches"]) for it in table("standings-csv", hall.contest)) == first.seats.exclude(team=None).count()
    )
    own = hall.teams[0].people().get().user
    assert table("matches-csv", hall.contest, own) == seen
    assert len(table("matches-csv", hall.contest, hall.ada)) == MatchSeat.objects.count()


def test_ratings_do_not_tell_of_results_that_are_not_public(hall: Hall) -> None:
    """Rounds are released by hand, so later ratings are hidden too, even in a public stage, because they follow from
    them."""
    Stage.objects.update(release="rounds", released=0)
    extra = hall.stage(games=1)
    finish(extra.matches.filter(state="queued").first())
    open_lines = table("matches-csv", hall.contest)
    assert {it["stage"] for it in open_lines} == {str(extra.pk)}
    assert {it["mu_after"] for it in open_lines} == {""}
    assert {it["mu_after"] for it in table("matches-csv", hall.contest, hall.ada)} != {""}


def test_of_a_judged_problem_only_the_verdict_is_known() -> None:
    room = Courtroom().start()
    room.send(room.teams[0], 7)
    room.judge("late")
    room.send(room.teams[0], 20)
    room.judge()
    lines = table("matches-csv", room.contest)
    assert [(it["version"], it["seed"], bool(it["verdict"])) for it in lines] == [("1", "", True), ("2", "", True)]
    (solved, *_) = table("standings-csv", room.contest, stage=room.stage.pk)
    assert (solved["team"], solved["solved_with"], solved["wrong"]) == ("Team 0", "2", "1")
    assert solved["penalty_minutes"] == "40"
    for reader in (None, room.ada):
        assert table("standings-csv", room.contest, reader)[0] == solved | {"rank": "1"}, "it is the whole contest"
    own = table("matches-csv", room.contest, room.ada)
    assert "" not in {it["seed"] for it in own}


def test_several_judged_problems_are_summed_up() -> None:
    """More problems solved ranks first, whatever the penalty; then the smaller penalty."""
    room = Courtroom().start()
    one, two, three = room.teams
    room.send(two, 5)
    room.judge()
    room.send(three, 10)
    room.judge()
    room.send(one, 90)
    room.judge("late")
    wish = stages.Wish("Problem B", "judged_set", {"hidden": HIDDEN, "draw": 2, "draw_seed": 12})
    room.stage = stages.create(room.contest, room.ada, wish)
    room.start()
    for how in ("right", "late", "right"):
        room.judge(how)
    for reader in (None, room.ada):
        lines = table("standings-csv", room.contest, reader)
        assert list(lines[0])[:7] == ["rank", "team", "team_id", "is_out", "solved", "wrong", "penalty_minutes"]
        assert [tuple(it.values())[:7] for it in lines] == [
            ("1", three.name, str(three.pk), "False", "2", "0", "20"),
            ("2", two.name, str(two.pk), "False", "1", "1", "5"),
            ("3", one.name, str(one.pk), "False", "1", "1", "90"),
        ]
    Team.objects.filter(pk=three.pk).update(state=Team.State.DISQUALIFIED)
    lines = table("standings-csv", room.contest)
    assert [(it["rank"], it["team"], it["is_out"]) for it in lines] == [
        ("1", two.name, "False"),
        ("2", one.name, "False"),
        ("", three.name, "True"),
    ]


def test_a_private_contest_and_drafts_are_not_found(hall: Hall) -> None:
    draft = hall.stage(start=False)
    url = reverse("standings-csv", args=[hall.contest.slug])
    assert [Client().get(url, {"stage": it}).status_code for it in (draft.pk, "x", "9" * 30)] == [404, 404, 404]
    Contest.objects.update(visibility="private")
    for name in ("standings-csv", "matches-csv"):
        assert Client().get(reverse(name, args=[hall.contest.slug])).status_code == 404
