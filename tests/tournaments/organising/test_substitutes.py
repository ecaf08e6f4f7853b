"""A team is replaced before its first match, or gets a bye: the rest of the draw stays, in every format."""

from __future__ import annotations

from typing import Any

import pytest

from contest.models import Act, LedgerEntry, Team
from contest.refusal import Refused
from tests.cast import make_team
from tests.programs import post, program
from tests.tournaments.desks import Desk
from tests.tournaments.stagecraft import Hall, by_strength, finish, give_bot, play_out
from tests.tournaments.test_two_worlds import staged
from tournaments.kinds import following
from tournaments.kinds.planned import PLANNED
from tournaments.models import Match, Stage
from tournaments.organising import admission, endings, impact, stages, substitutes
from tournaments.playing import play

pytestmark = pytest.mark.django_db

TWOS = {"table_size": 2, "games": 1}
FORMATS = [
    pytest.param("single_elimination", TWOS, id="bracket in twos"),
    pytest.param("single_elimination", {"table_size": 4, "advance": 2, "games": 1}, id="bracket in fours"),
    pytest.param("swiss", {**TWOS, "rounds": 2}, id="swiss in twos"),
    pytest.param("swiss", {"table_size": 4, "games": 1, "rounds": 2}, id="swiss in fours"),
    pytest.param("round_robin", {"games": 1}, id="round robin"),
    pytest.param("combinations", {"budget": 24 * 8}, id="combinations"),
]


def latecomer(hall: Hall, *, bot: bool = True) -> Team:
    team = make_team(hall.contest, name="Latecomers")
    if bot:
        give_bot(team)
    return team


def met(stage: Stage) -> dict[tuple[int, int], set[int]]:
    return {table.key: set(table.teams) for table in PLANNED.plan(fresh(stage)).tables()}


def fresh(stage: Stage) -> Stage:
    return Stage.objects.get(pk=stage.pk)


@pytest.mark.parametrize("begun", [False, True], ids=["waiting", "while others play"])
@pytest.mark.parametrize(("format", "options"), FORMATS)
def test_the_newcomer_has_the_same_seat(format: str, options: dict[str, Any], begun: bool) -> None:
    hall = Hall(8 if format != "combinations" else 6)
    stage = staged(hall, format, options=options)
    if begun and format != "combinations":
        play.claim(stage.matches.order_by("pk")[0].pk, "tester")
    gone = next(team for team in hall.teams if not stage.matches.filter(state="running", seats__team=team).exists())
    before, new = met(stage), latecomer(hall)
    then, stale = substitutes.put_in(fresh(stage), new, gone)
    assert stage.matches.valid().filter(seats__team=gone).count() == len(stale)
    foreseen = impact.of_substitute(fresh(stage), then).voided
    substitutes.substitute(stage, hall.ada, new, "A power cut.", instead_of=gone)
    assert {match.pk for match in foreseen} == set(stage.matches.filter(state="void").values_list("pk", flat=True))
    assert met(stage) == {key: {new.pk if team == gone.pk else team for team in teams} for key, teams in before.items()}
    assert following.is_in_line(fresh(stage))
    played = play_out(fresh(stage)) if not begun else []
    assert all(gone.pk not in {seat.team_id for seat in match.seats.all()} for match in played)
    own = stage.matches.valid().filter(seats__team=new).first()
    assert own is not None
    assert own.seats.get(team=new).submission == new.submissions.get(), "pinned as for the others"


def test_everybody_reads_why(desk: Desk, hall: Hall) -> None:
    stage, new = hall.stage(), latecomer(hall)
    gone = hall.teams[3]
    desk.get("desk-stage-replace", stage.pk)
    page = desk.get("desk-stage-replace", stage.pk, team=new.pk, instead_of=gone.pk)
    assert f"{gone} out, {new} in" in page
    assert not Match.objects.filter(state="void").exists()
    address = f"?team={new.pk}&instead_of={gone.pk}"
    url = desk.url("desk-stage-replace", stage.pk) + address
    assert desk.client.post(url, {"reason": ""}).status_code == 422
    assert desk.client.post(url, {"reason": "Their train is late."}).status_code == 302
    assert Act.objects.get(verb="change entrants").reason == "Their train is late."
    assert LedgerEntry.objects.filter(kind="entrants_set", reason="Their train is late.", stage=stage).count() == 1
    desk.client.logout()
    page = desk.client.get(stage.get_absolute_url()).content.decode()
    assert "Their train is late." in page
    void = Match.objects.get(state="void")
    assert (
        f"{new} plays instead of {gone}: Their train is late."
        in desk.client.get(void.get_absolute_url()).content.decode()
    )
    told = desk.client.get(f"/api/v1/contests/{hall.contest.slug}/stages/{stage.pk}").json()
    (line,) = told["substitutes"]
    assert (line["team_id"], line["instead_of"], line["reason"]) == (new.pk, gone.name, "Their train is late.")
    assert desk.client.post(url, {"reason": "again"}).status_code == 302, "only for organisers"
    assert Act.objects.filter(verb="change entrants").count() == 1


class TestRefusals:
    def test_once_its_match_has_begun(self) -> None:
        hall = Hall(8)
        stage = hall.stage(**TWOS)
        match = stage.matches.first()
        play.claim(match.pk, "tester")
        first, *_ = [seat.team for seat in match.seats.all()]
        new = latecomer(hall)
        with pytest.raises(Refused, match="has begun"):
            substitutes.substitute(stage, hall.ada, new, "late", instead_of=first)
        play.put_back(play.claim(match.pk, "tester") or match, "lost", match.due_at)
        with pytest.raises(Refused, match="has begun"):
            substitutes.put_in(fresh(stage), new, first)

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"bot": False}, "nothing to play with"),
            ({"withdrawn": True}, "does not take part"),
            ({"seated": True}, "has a seat"),
        ],
    )
    def test_the_newcomer_must_be_able_to_play(self, change: dict[str, Any], words: str) -> None:
        hall = Hall(4)
        stage = hall.stage(**TWOS)
        new = hall.teams[1] if change.get("seated") else latecomer(hall, bot=change.get("bot", True))
        if change.get("withdrawn"):
            stages.withdraw(new, hall.ada, "ill")
            new.refresh_from_db()
        with pytest.raises(Refused, match=words):
            substitutes.put_in(fresh(stage), new, hall.teams[0])

    def test_where_nobody_has_a_seat(self) -> None:
        hall = Hall(4)
        stage = staged(hall, "ladder", options={"games": 1})
        with pytest.raises(Refused, match="Nobody has a seat"):
            substitutes.put_in(fresh(stage), latecomer(hall), hall.teams[0])
        with pytest.raises(Refused, match="draft"):
            substitutes.put_in(hall.stage(start=False), hall.teams[0], hall.teams[0])

    def test_who_seems_to_win_without_playing_keeps_a_round(self) -> None:
        """Round 2 has begun, so what the bye of round 1 gave stays."""
        hall = Hall(5)
        stage = staged(hall, "swiss", options={**TWOS, "rounds": 3})
        idle = next(table.teams[0] for table in PLANNED.plan(stage).rounds[0] if table.is_bye)
        for match in list(stage.matches.all()):
            finish(match, by_strength(match))
        claimed = next(match for match in stage.matches.filter(state="queued") if idle not in _teams(match))
        play.claim(claimed.pk, "tester")
        with pytest.raises(Refused, match="stays as it was drawn"):
            substitutes.put_in(fresh(stage), latecomer(hall), Team.objects.get(pk=idle))


def _teams(match: Match) -> set[int | None]:
    return {seat.team_id for seat in match.seats.all()}


class TestByes:
    def test_the_lowest_bye_of_a_bracket(self) -> None:
        hall = Hall(6)
        stage, new = hall.stage(**TWOS), latecomer(hall)
        before = met(stage)
        substitutes.substitute(stage, hall.ada, new, "It came after all.")
        after = met(stage)
        assert [key for key in after if key[0] == 1 and after[key] != before[key]] == [
            key for key, teams in before.items() if teams == {hall.ids[1]} and key[0] == 1
        ]
        play_out(fresh(stage))
        assert fresh(stage).state == Stage.State.DONE
        assert stage.matches.filter(state="done", seats__team=new).exists()

    def test_an_empty_seat_at_a_table_of_four(self) -> None:
        hall = Hall(6)
        stage, new = hall.stage(table_size=4, advance=2, games=1), latecomer(hall)
        substitutes.substitute(stage, hall.ada, new, "It came after all.")
        assert stage.matches.valid().filter(seats__team=new).count() == 1
        assert stage.matches.filter(state="void").count() == 1

    def test_every_bye_of_a_round_robin(self) -> None:
        hall = Hall(5)
        stage, new = staged(hall, "round_robin", options={"games": 1}), latecomer(hall)
        before = met(stage)
        substitutes.substitute(stage, hall.ada, new, "It came after all.")
        after = met(stage)
        assert all(after[key] == (teams if len(teams) == 2 else teams | {new.pk}) for key, teams in before.items())

    def test_none_is_left_or_it_has_been_used(self) -> None:
        hall = Hall(8)
        stage = hall.stage(**TWOS)
        with pytest.raises(Refused, match="No team has a bye"):
            substitutes.put_in(stage, latecomer(hall), None)
        hall = Hall(5)
        stage = hall.stage(**TWOS)
        first = next(match for match in stage.matches.all() if match.table.round == 2)
        play.claim(first.pk, "tester")
        with pytest.raises(Refused, match="has begun"):
            substitutes.put_in(fresh(stage), latecomer(hall), None)


class TestBeforeTheStart:
    def test_it_outlasts_a_change_of_the_form_the_start_and_a_closed_check_in(self, desk: Desk) -> None:
        hall = desk.hall
        stage = hall.stage(start=False, publish=True, **TWOS)
        new, gone = latecomer(hall), hall.teams[1]
        Stage.objects.filter(pk=stage.pk).update(check_in_closes_at=hall.contest.opens_at)
        Team.objects.exclude(pk=new.pk).update(checked_in_at=hall.contest.opens_at)
        substitutes.substitute(stage, hall.ada, new, "late", instead_of=gone)
        order = [new.pk if team == gone.pk else team for team in hall.ids]
        page = desk.client.get(desk.url("desk-stage-edit", stage.pk)).context["form"]
        sent = {bound.html_name: bound.value() for bound in page if bound.value() not in (None, False, "")}
        assert len(page.timetable_rows()) == 2, "not one round more, for five teams"
        for seeding in ("hand", "number", "standings"):
            sent |= {"name": f"Cup {seeding}", "seeding": seeding}
            assert desk.client.post(desk.url("desk-stage-edit", stage.pk), sent).status_code == 302
            assert (fresh(stage).name, fresh(stage).order) == (f"Cup {seeding}", order)
        substitutes.substitute(fresh(stage), hall.ada, gone, "better", instead_of=new)
        substitutes.substitute(fresh(stage), hall.ada, new, "worse", instead_of=gone)
        late, lost = make_team(hall.contest, name="Later still"), hall.teams[3]
        give_bot(late)
        Team.objects.filter(pk=late.pk).update(checked_in_at=hall.contest.opens_at)
        stages.disqualify(lost, hall.ada, "cheated")
        assert admission.missing(fresh(stage), admission.current_order(fresh(stage))) == []
        stages.start(fresh(stage), hall.ada)
        order = [*(team for team in order if team != lost.pk), late.pk]
        assert (fresh(stage).order, fresh(stage).left_out) == (order, [])

    def test_entrants_that_are_hidden_stay_hidden(self) -> None:
        hall = Hall(6)
        cup = stages.create(hall.contest, hall.ada, stages.Wish("Cup", options=TWOS, release="rounds"))
        stages.start(cup, hall.ada)
        play_out(fresh(cup))
        wish = stages.Wish("Final", options=TWOS, entry="best", source=fresh(cup), best=2, seeding="source")
        final = stages.create(hall.contest, hall.ada, wish)
        stages.publish(final, hall.ada)
        with pytest.raises(Refused, match="hidden"):
            substitutes.put_in(fresh(final), latecomer(hall), Team.objects.get(pk=fresh(final).order[0]))


def test_a_later_substitute_a_ranking_that_has_not_changed_and_a_reset() -> None:
    hall = Hall(6)
    cup = hall.stage(**TWOS)
    play_out(cup)
    wish = stages.Wish("Final", options=TWOS, entry="best", source=fresh(cup), best=4, seeding="source")
    final = stages.create(hall.contest, hall.ada, wish)
    stages.start(final, hall.ada)
    first = Team.objects.get(pk=fresh(final).order[0])
    new, newer = latecomer(hall), make_team(hall.contest, name="Even later")
    give_bot(newer)
    substitutes.substitute(final, hall.ada, new, "ill", instead_of=first)
    substitutes.substitute(final, hall.ada, newer, "ill too", instead_of=new)
    assert stages.admission.drift(fresh(final)) is None
    (line,) = fresh(final).substitutions()
    assert (line["team"], line["reason"]) == (newer.pk, "ill too")
    endings.reset(final, hall.ada, "wrong game", resets=0)
    assert (fresh(final).order[0], fresh(final).substitutions()) == (first.pk, [])


def test_programs_look_before_they_act() -> None:
    hall = Hall(5)
    stage, new = hall.stage(**TWOS), latecomer(hall)
    owner, here = program(hall.ada, "desk"), f"/api/v1/contests/{hall.contest.slug}/desk/stages/{stage.pk}"
    sent = {"team": new.pk, "instead_of": hall.ids[4]}
    told = post(owner, f"{here}/replace?dry_run=true", sent).json()
    assert told["impact"]["stages"][0]["tables"][0]["coming"] == [new.name]
    assert fresh(stage).order == hall.ids
    assert post(owner, f"{here}/replace", sent).status_code == 422, "a reason"
    assert post(owner, f"{here}/replace", {**sent, "reason": "ill"}).json()["stage"]["substitutes"]
    assert fresh(stage).order == [*hall.ids[:4], new.pk]
    other = post(owner, f"{here}/bye", {"team": hall.ids[4], "reason": "well again"}).json()
    assert [line["instead_of_id"] for line in other["stage"]["substitutes"]] == [hall.ids[4], None]
    assert post(owner, f"{here}/bye", {"team": hall.ids[4], "reason": "twice"}).status_code in (409, 422)
