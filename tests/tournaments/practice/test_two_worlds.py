"""Practice tells nothing that a freeze hides: whatever happens behind it, every answer is the same to the letter."""

from __future__ import annotations

import pytest

from contest.models import Scope
from tests.programs import post, program
from tests.tournaments.practice.gym import play_with_house
from tests.tournaments.stagecraft import Hall, finish
from tests.tournaments.visitors import seen, visitor
from tests.tournaments.worlds import Told, differing, in_both, play_on
from tournaments.models import Match, PracticeOrder
from tournaments.organising import releases
from tournaments.practice import orders
from tournaments.practice.orders import Wish

pytestmark = [pytest.mark.promise, pytest.mark.django_db]


@pytest.mark.parametrize("release", ["frozen", pytest.param("rounds", marks=pytest.mark.long("worlds"))])
def test_what_is_offered_and_refused_does_not_depend_on_hidden_results(release: str) -> None:
    hall = Hall(8)
    stage = hall.stage(advance=1)
    if release == "rounds":
        type(stage).objects.filter(pk=stage.pk).update(release="rounds")
        stage.refresh_from_db()
    else:
        finish(stage.matches.order_by("pk")[0])
    first = stage.matches.order_by("pk")[0]
    team = first.seats.exclude(team=None).order_by("place").first().team  # so it plays in the final, which is hidden
    member = team.people()[0].user
    placed = orders.place(
        team, member, Wish(opponents=(f"team:{_other(hall, team.pk)}", "house:random"), games=2, seed=5)
    )
    play_with_house(placed)
    if release == "frozen":
        releases.freeze(hall.contest, hall.ada)
    here, api = f"/c/{hall.contest.slug}/practice/", f"/api/v1/contests/{hall.contest.slug}/practice"
    matches = range(first.pk, first.pk + 3)
    asked = [
        *(here, f"{here}{placed.pk}/", f"{here}{placed.pk}/1/", f"{here}{placed.pk}/1/record.json"),
        *(f"{here}?again={pk}" for pk in matches),
        *(f"/m/{pk}/" for pk in matches),
    ]
    programs = [api, f"{api}/opponents", f"{api}/{placed.pk}", f"{api}/{placed.pk}/games/1/stderr"]

    def look() -> Told:
        client, told = visitor(member), {}
        told |= seen(asked, client)
        told |= seen(programs, program(member, *Scope.values))
        for pk in matches:
            answer = post(program(member, "bot"), api, {"again": pk, "version": 1})
            told[f"POST {pk}"] = (answer.status_code, _without_times(answer.content.decode()))
            PracticeOrder.objects.exclude(pk=placed.pk).delete()
        return told

    stories = [
        lambda: None,
        lambda: play_on(stage, weak=True, disqualify=True),
    ]
    worlds = in_both(stories, look)
    assert differing(worlds) == []
    accepted = [pk for pk in matches if worlds[0][f"POST {pk}"][0] == 202]
    assert accepted == ([first.pk] if release == "frozen" else [])
    assert all(worlds[0][address][0] == 200 for address in programs)
    assert Match.objects.filter(pk__in=matches).count() >= 2


def _other(hall: Hall, pk: int) -> int:
    return next(team.pk for team in hall.teams if team.pk != pk)


def _without_times(text: str) -> str:
    return text.partition('"id":')[0] if '"id":' in text else text
