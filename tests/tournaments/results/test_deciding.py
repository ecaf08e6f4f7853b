"""The deciding stage: its winner is the champion of the contest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from contest.models import Contest, User
from contest.refusal import Refused
from tests.markup import tags
from tests.tournaments.stagecraft import Hall, play_out
from tournaments.exports import archive
from tournaments.kinds import champions
from tournaments.models import Stage
from tournaments.models.stages import deciding_stage
from tournaments.organising import presets, stages
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
        cup = hall.stage(table_size=2)
        wish = stages.Wish("Final", "single_elimination", entry=Stage.Entry.BEST, source=cup, best=2)
        stages.create(hall.contest, hall.ada, wish)
        play_out(cup)
        assert self.champion(hall) is None, "a final was prepared"


@pytest.mark.django_db
class TestAChampionWhoIsKnown:
    """What is private changes nothing in public, and what is published asks first."""

    @pytest.fixture
    def hall(self) -> Hall:
        hall = Hall(teams=4)
        play_out(hall.stage(table_size=2))
        return hall

    def draft(self, hall: Hall, **fields: Any) -> Stage:
        return stages.create(hall.contest, hall.ada, stages.Wish("Show", options={"table_size": 2}, **fields))

    def seen(self, hall: Hall) -> tuple[str, bool, bool]:
        """As visitors see it: the champion, whether all is played, and whether the front page lists it as finished."""
        sight = public(Contest.objects.get(pk=hall.contest.pk))
        found = champions.of(sight)
        groups = Client().get("/").context["groups"]
        finished = [group for group in groups if group.title == "Finished"]
        return found.team.name if found else "", champions.is_over(sight), bool(finished)

    @pytest.mark.parametrize("fed", [False, True])
    def test_a_draft_takes_it_from_nobody(self, hall: Hall, fed: bool) -> None:
        before = self.seen(hall)
        assert before == (hall.teams[0].name, True, True)
        source = hall.contest.stages.get() if fed else None
        self.draft(hall, **({"entry": Stage.Entry.BEST, "source": source, "best": 2} if fed else {}))
        assert self.seen(hall) == before

    @pytest.mark.parametrize("act", ["publish", "start"])
    @pytest.mark.parametrize("decides", [False, True])
    def test_a_stage_that_is_published_decides_only_if_the_organisers_say_so(
        self, hall: Hall, client: Client, act: str, decides: bool
    ) -> None:
        show = self.draft(hall)
        client.force_login(hall.ada)
        page = client.get(reverse("desk-stage", args=[hall.contest.slug, show.pk])).content.decode()
        assert "decides" in [field.get("name") for field in tags(page, "input")]
        address = reverse(f"desk-stage-{act}", args=[hall.contest.slug, show.pk])
        client.post(address, {"decides": "on"} if decides else {})
        assert self.seen(hall) == ("" if decides else hall.teams[0].name, False, False)
        first = client.get(hall.contest.stages.earliest("pk").get_absolute_url()).text
        assert ("Champion:" in first) == (not decides), "it has won its stage only"
        if act == "start":
            play_out(Stage.objects.get(pk=show.pk))
            assert self.seen(hall) == (hall.teams[0].name, True, True)
            champion = champions.of(public(hall.contest))
            assert champion is not None
            assert (champion.stage.pk == show.pk) == decides

    @pytest.mark.parametrize("act", [stages.unpublish, stages.delete])
    def test_a_stage_that_is_hidden_again_gives_it_back(self, hall: Hall, act: Callable[[Stage, User], None]) -> None:
        before, show = self.seen(hall), self.draft(hall)
        with pytest.raises(Refused):
            stages.decide(show, hall.ada)
        stages.publish(show, hall.ada, decides=True)
        assert self.seen(hall)[0] == ""
        act(show, hall.ada)
        assert self.seen(hall) == before
        stages.decide(hall.contest.stages.first(), hall.ada)  # whatever a stage that is gone decided
        assert self.seen(hall) == before

    def test_a_final_that_was_prepared_decides_until_it_is_edited_to_be_none(self) -> None:
        hall = Hall(teams=4)
        cup = hall.stage(table_size=2)
        final = self.draft(hall, entry=Stage.Entry.BEST, source=cup, best=2)
        stages.publish(final, hall.ada)
        play_out(cup)
        stages.unpublish(final, hall.ada)
        assert self.seen(hall)[0] == ""
        Stage.objects.filter(pk=cup.pk).update(state=Stage.State.RUNNING)
        stages.edit(final, hall.ada, stages.Wish("Show", options={"table_size": 2}))
        Stage.objects.filter(pk=cup.pk).update(state=Stage.State.DONE)
        assert self.seen(hall)[0] == hall.teams[0].name


@pytest.mark.django_db
def test_a_preset_decides_with_its_final() -> None:
    hall = Hall(teams=0, game="barracuda", preset="barracuda-2014", options={})
    presets.prepare(hall.contest, hall.ada)
    decides = deciding_stage(hall.contest.stages.all())
    assert decides is not None
    assert decides.name == "Final"
