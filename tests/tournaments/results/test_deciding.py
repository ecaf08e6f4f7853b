"""The deciding stage: its winner is the champion of the contest."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.stagecraft import Hall, play_out
from tournaments.exports import archive
from tournaments.kinds import champions
from tournaments.models import Stage
from tournaments.organising import presets, stages
from tournaments.results.deciding import deciding_stage
from tournaments.results.visibility import everything, public

ALL, INVITED = Stage.Entry.ALL, Stage.Entry.INVITED


def stage(pk: int, source: int | None = None, entry: str = ALL, format: str = "swiss", decides: bool = False) -> Stage:
    return Stage(pk=pk, name=str(pk), source_id=source, entry=entry, format=format, decides=decides)


@pytest.mark.parametrize(
    ("found", "decides"),
    [
        ([], None),
        ([stage(1)], 1),
        ([stage(1), stage(2, source=1), stage(3)], 2),  # a side league made later
        ([stage(1), stage(2, source=1), stage(3, source=2), stage(4, source=1)], 3),
        ([stage(1), stage(2)], 2),
        ([stage(1), stage(2, entry=INVITED)], 1),
        ([stage(1, entry=INVITED)], 1),
        ([stage(1), stage(2, format="judged_set")], 1),
        ([stage(1, decides=True), stage(2, source=1)], 1),
    ],
)
def test_which_stage_decides(found: list[Stage], decides: int | None) -> None:
    chosen = deciding_stage(found)
    assert (chosen and chosen.pk) == decides


@pytest.mark.django_db
class TestChampion:
    @pytest.fixture
    def hall(self) -> Hall:
        """A bracket, and a league that is started later and won by another team."""
        hall = Hall(teams=4)
        cup = hall.stage(table_size=2)
        play_out(cup)
        wish = stages.Wish("Side league", "round_robin", entry=INVITED, invited=hall.ids[2:])
        league = stages.create(hall.contest, hall.ada, wish)
        stages.start(league, hall.ada)
        league.refresh_from_db()
        play_out(league)
        return hall

    def champion(self, hall: Hall) -> tuple[str, str] | None:
        hall.contest.refresh_from_db()
        found = champions.of(public(hall.contest))
        exported = archive.all_standings(everything(hall.contest))["champion"]
        assert (exported and exported["team"]) == (found and found.team.name)
        return found and (found.stage.name, found.team.name)

    def test_a_side_league_replaces_nobody(self, hall: Hall) -> None:
        cup = hall.contest.stages.first()
        final = cup.tables.order_by("round").last()
        winner = hall.contest.teams.get(pk=final.places[0])
        assert self.champion(hall) == (cup.name, winner.name)

    def test_organisers_choose_on_the_desk(self, hall: Hall, client: Client) -> None:
        cup, league = hall.contest.stages.order_by("pk")
        client.force_login(hall.ada)
        page = client.get(reverse("desk-stage", args=[hall.contest.slug, league.pk]))
        action = reverse("desk-stage-decide", args=[hall.contest.slug, league.pk])
        assert action in page.text
        client.post(action)
        assert [each.decides for each in hall.contest.stages.order_by("pk")] == [False, True]
        assert self.champion(hall)[0] == league.name
        assert action not in client.get(reverse("desk-stage", args=[hall.contest.slug, league.pk])).text
        client.post(reverse("desk-stage-decide", args=[hall.contest.slug, cup.pk]))
        assert self.champion(hall)[0] == cup.name

    def test_nobody_is_champion_before_it_is_over(self) -> None:
        hall = Hall(teams=4)
        play_out(hall.stage(table_size=2))
        wish = stages.Wish(
            "Final", "single_elimination", entry=Stage.Entry.BEST, source=hall.contest.stages.get(), best=2
        )
        stages.create(hall.contest, hall.ada, wish)
        assert self.champion(hall) is None, "a final is being prepared"


@pytest.mark.django_db
def test_a_preset_decides_with_its_final() -> None:
    hall = Hall(teams=0, game="barracuda", preset="barracuda-2014", options={})
    presets.prepare(hall.contest, hall.ada)
    decides = deciding_stage(hall.contest.stages.all())
    assert decides is not None
    assert decides.name == "Final"
