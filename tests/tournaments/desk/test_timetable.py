"""The timetable in the form of a stage and in the API: what is taken, what is refused, what is foreseen."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest.models import Contest
from contest.templatetags.contest_tags import when
from submissions.models import Submission
from tests.markup import submitted
from tests.programs import patch, post, program
from tests.tournaments.stagecraft import Hall
from tournaments.models import Stage
from tournaments.organising import durations, stages, workload
from tournaments.organising.day import stored_day
from tournaments.organising.stages import Wish
from tournaments.organising.timetable import RoundWish

pytestmark = pytest.mark.django_db

TWOS = {"table_size": 2, "games": 1}
DAY = datetime(2199, 6, 6, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def hall() -> Hall:
    hall = Hall(8)
    Contest.objects.update(time_zone="UTC")
    hall.contest.refresh_from_db()
    return hall


@pytest.fixture
def ada(hall: Hall, client: Client) -> Client:
    client.force_login(hall.ada)
    return client


def cup(hall: Hall, *wishes: RoundWish, **fields: Any) -> Stage:
    return stages.create(hall.contest, hall.ada, Wish("Cup", options=TWOS, timetable=wishes, **fields))


def three(second: RoundWish, third: RoundWish | None = None) -> list[RoundWish]:
    return [RoundWish(1), second, third or RoundWish(3)]


def typed(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M}"


def arranged(stage: Stage) -> list[tuple[Any, ...]]:
    return [
        (row.number, row.starts_at, row.break_minutes, row.hold, row.in_turn, row.release, row.release_at)
        for row in stage.timetable.all()
    ]


def edit(ada: Client, stage: Stage, page: str = "desk-stage-edit", **changes: Any) -> Any:
    address = reverse(page, args=[stage.contest.slug, stage.pk])
    form = submitted(ada.get(address).content.decode())
    return ada.post(address, {**form, **changes})


ALL = {
    "round_2_starts_at": typed(DAY + HOUR),
    "round_2_in_turn": "on",
    "round_2_release": "moment",
    "round_2_release_at": typed(DAY + 2 * HOUR),
    "round_3_break_minutes": "15",
    "round_3_hold": "on",
    "round_3_release": "manual",
}
AS_ARRANGED = [
    (1, None, None, False, False, "at_once", None),
    (2, DAY + HOUR, None, False, True, "moment", DAY + 2 * HOUR),
    (3, None, 15, True, False, "manual", None),
]
AS_TOLD = [
    {"number": 2, "starts_at": "2199-06-06T11:00Z", "in_turn": True, "release": "moment",
     "release_at": "2199-06-06T12:00Z"},
    {"number": 3, "break_minutes": 15, "hold": True, "release": "manual"},
]  # fmt: skip


class TestForm:
    def test_it_is_saved_as_typed_and_shown_again(self, hall: Hall, ada: Client) -> None:
        stage = cup(hall)
        assert edit(ada, stage, starts_at=typed(DAY), **ALL).status_code == 302
        stage.refresh_from_db()
        assert (stage.starts_at, stage.release, arranged(stage)) == (DAY, Stage.Release.ROUNDS, AS_ARRANGED)
        shown = ada.get(reverse("desk-stage-edit", args=[hall.contest.slug, stage.pk]))
        assert (
            ALL.items()
            <= {name: values[-1] for name, values in submitted(shown.content.decode()).items() if values}.items()
        )
        assert [row.name for row in shown.context["rows"]] == ["Quarter-finals", "Semi-finals", "Final"]
        assert edit(ada, stage).status_code == 302
        assert arranged(stage) == AS_ARRANGED

    def test_with_fewer_rounds_the_first_keeps_its_later_start(self, hall: Hall, ada: Client) -> None:
        stage = cup(hall, *three(RoundWish(2, DAY + HOUR), RoundWish(3, DAY + 3 * HOUR)), starts_at=DAY)
        for team in hall.teams[4:]:
            stages.withdraw(team, hall.ada, "ill")
        edit(ada, stage, name="Small cup")
        stage.refresh_from_db()
        assert (stage.name, stage.starts_at) == ("Small cup", DAY + HOUR)

    def test_another_release_forgets_its_moment(self, hall: Hall, ada: Client) -> None:
        stage = cup(hall, RoundWish(1, in_turn=True, release="moment", release_at=DAY))
        assert edit(ada, stage, round_1_release="at_once").status_code == 302
        assert arranged(stage)[0] == (1, None, None, False, True, "at_once", None)

    def test_nothing_filled_in_arranges_nothing(self, hall: Hall, ada: Client) -> None:
        stage = cup(hall)
        assert edit(ada, stage, name="Autumn Cup").status_code == 302
        stage.refresh_from_db()
        assert (stage.name, stage.release, arranged(stage)) == ("Autumn Cup", Stage.Release.LIVE, [])

    def test_it_has_as_many_rows_as_the_stage_has_rounds(self, hall: Hall, ada: Client) -> None:
        address = reverse("desk-stage-new", args=[hall.contest.slug]) + "?format=swiss"
        form = submitted(ada.get(address).content.decode())
        assert "round_3_hold" not in form, "a box that is not ticked"
        assert {"round_3_break_minutes"} <= form.keys() >= {"round_2_release"}
        looked = ada.post(address, {**form, "format": "swiss", "rounds": "9", "look": "1"})
        more = submitted(looked.content.decode())
        assert {"round_9_break_minutes"} <= more.keys()
        assert ada.post(address, {**more, "format": "swiss", "round_9_break_minutes": "20"}).status_code == 302
        assert Stage.objects.get().timetable.count() == 9

    @pytest.mark.parametrize(
        ("changes", "fields"),
        [
            ({"round_2_starts_at": typed(DAY), "round_2_break_minutes": "5"}, {"round_2_break_minutes"}),
            ({"round_2_starts_at": "2001-01-01T10:00"}, {"round_2_starts_at"}),
            ({"starts_at": typed(DAY), "round_2_starts_at": typed(DAY)}, {"round_2_starts_at"}),
            (
                {"round_2_starts_at": typed(DAY + HOUR), "round_3_starts_at": typed(DAY), "round_3_release": "moment"},
                {"round_3_starts_at", "round_3_release_at"},
            ),
            ({"round_2_release_at": typed(DAY)}, {"round_2_release_at"}),
            (
                {"starts_at": typed(DAY), "round_2_break_minutes": "90", "round_3_starts_at": typed(DAY + HOUR),
                 "round_1_release": "moment", "round_1_release_at": typed(DAY + 3 * HOUR),
                 "round_2_release": "moment", "round_2_release_at": typed(DAY + 2 * HOUR)},
                {"round_2_release_at", "round_3_starts_at"},
            ),
            (
                {"round_2_break_minutes": "-1", "round_3_break_minutes": "a"},
                {"round_2_break_minutes", "round_3_break_minutes"},
            ),
            ({"round_2_release": "soon"}, {"round_2_release"}),
            ({"round_2_starts_at": "2999-01-01T10:00"}, {"round_2_starts_at"}),
        ],
    )  # fmt: skip
    def test_contradictions_are_told_together_each_at_its_field(
        self, hall: Hall, ada: Client, changes: dict[str, str], fields: set[str]
    ) -> None:
        stage = cup(hall, *(RoundWish(number, in_turn=True) for number in (1, 2, 3)))
        before = arranged(stage)
        answer = edit(ada, stage, name="Other", **changes)
        assert answer.status_code == 422
        assert set(answer.context["form"].errors) == fields
        stage.refresh_from_db()
        assert (stage.name, arranged(stage)) == ("Cup", before)
        sent = [_as_json(number, changes) for number in (1, 2, 3)]
        address = f"/api/v1/contests/{hall.contest.slug}/desk/stages/{stage.pk}"
        refused = patch(program(hall.ada, "desk"), address, {"name": "Other", "timetable": sent})
        assert refused.status_code == 422
        told = [error for error in refused.json()["errors"] if error["field"] == "timetable"]
        expected = {_read(name) for name in fields}
        assert {tuple(error["detail"].split(":")[0].removeprefix("Round ").split(", ")) for error in told} == expected
        stage.refresh_from_db()
        assert (stage.name, arranged(stage)) == ("Cup", before)


def _read(name: str) -> tuple[str, str]:
    _, number, short = name.split("_", 2)
    return number, short


def _as_json(number: int, changes: dict[str, str]) -> dict[str, Any]:
    entry: dict[str, Any] = {"number": number}
    for name, value in changes.items():
        if name == "starts_at" and number == 1:
            entry[name] = f"{value}Z"
        elif name.startswith(f"round_{number}_"):
            entry[_read(name)[1]] = f"{value}Z" if "T" in value else value
    return entry


class TestApi:
    def test_what_is_left_out_stays_and_what_was_read_can_be_sent_back(self, hall: Hall) -> None:
        api, address = program(hall.ada, "desk"), f"/api/v1/contests/{hall.contest.slug}/desk/stages"
        sent = {"format": "single_elimination", "table_size": 2, "starts_at": "2199-06-06T10:00Z", "timetable": AS_TOLD}
        made = post(api, address, sent)
        assert made.status_code == 201, made.content
        stage = Stage.objects.get()
        assert arranged(stage) == AS_ARRANGED
        told = made.json()["timetable"]
        assert [it["name"] for it in told] == ["Quarter-finals", "Semi-finals", "Final"]
        assert patch(api, made["Location"], {"timetable": told, "name": "Open"}).status_code == 200
        assert arranged(stage) == AS_ARRANGED
        assert patch(api, made["Location"], {"timetable": [{"number": 3, "hold": False}]}).status_code == 200
        assert arranged(stage)[2] == (3, None, 15, False, False, "manual", None)
        assert arranged(stage)[:2] == AS_ARRANGED[:2]

    def test_release_is_that_of_all_rounds(self, hall: Hall) -> None:
        api, address = program(hall.ada, "desk"), f"/api/v1/contests/{hall.contest.slug}/desk/stages"
        made = post(api, address, {"format": "swiss", "release": "rounds"})
        assert made.json()["release"] == "rounds"
        assert {it["release"] for it in made.json()["timetable"]} == {"manual"}
        live = patch(api, made["Location"], {"release": "live"}).json()["stage"]
        assert (live["release"], {it["release"] for it in live["timetable"]}) == ("live", {"at_once"})
        assert patch(api, made["Location"], {"release": "soon"}).status_code == 422

    @pytest.mark.parametrize(
        "entry",
        [3, {}, {"number": 0}, {"number": "2"}, {"number": True}, {"number": 2, "brake": 5},
         {"number": 1, "break_minutes": 5}, {"number": 2, "starts_at": "soon"}],
    )  # fmt: skip
    def test_what_is_no_round_is_refused(self, hall: Hall, entry: Any) -> None:
        stage = cup(hall)
        address = f"/api/v1/contests/{hall.contest.slug}/desk/stages/{stage.pk}"
        refused = patch(program(hall.ada, "desk"), address, {"timetable": [entry]})
        assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
        assert arranged(stage) == []

    def test_a_dry_run_tells_the_day(self, hall: Hall) -> None:
        sent = {"format": "single_elimination", "table_size": 2, "starts_at": "2199-06-06T10:00Z",
                "timetable": [{"number": 2, "starts_at": "2199-06-06T10:00:01Z"}]}  # fmt: skip
        address = f"/api/v1/contests/{hall.contest.slug}/desk/stages?dry_run=true"
        budget = post(program(hall.ada, "desk"), address, sent).json()["budget"]
        assert [it["name"] for it in budget["timetable"]] == ["Quarter-finals", "Semi-finals", "Final"]
        assert sum(it["usual_seconds"] for it in budget["timetable"]) == pytest.approx(budget["usual_seconds"])
        assert [each for each in budget["warnings"] if "after the start of Semi-finals" in each]
        assert not Stage.objects.exists()


class TestInProgress:
    def begun(self, hall: Hall, **fields: Any) -> Stage:
        stage = cup(hall, *three(RoundWish(2, hold=True)), **fields)
        stages.start(stage, hall.ada)
        return stage

    def test_rounds_to_come_can_change(self, hall: Hall, ada: Client) -> None:
        stage = self.begun(hall)
        assert edit(ada, stage, "desk-stage-timetable", round_2_starts_at=typed(DAY)).status_code == 302
        assert arranged(stage)[1][1:4] == (DAY, None, True)
        address = f"/api/v1/contests/{hall.contest.slug}/desk/stages/{stage.pk}"
        api, entry = program(hall.ada, "desk"), {"number": 2, "starts_at": None, "break_minutes": 5}
        assert patch(api, f"{address}?dry_run=true", {"timetable": [entry]}).status_code == 200
        assert arranged(stage)[1][1:4] == (DAY, None, True)
        assert patch(api, address, {"timetable": [entry]}).status_code == 200
        assert arranged(stage)[1][1:4] == (None, 5, True)
        assert patch(api, address, {"timetable": [entry], "name": "Open"}).status_code == 409
        told = api.get(address).json()["timetable"]
        assert patch(api, address, {"timetable": told}).status_code == 200

    def test_a_round_that_has_started_cannot(self, hall: Hall, ada: Client) -> None:
        stage = self.begun(hall)
        page = reverse("desk-stage-timetable", args=[hall.contest.slug, stage.pk])
        assert not [name for name in submitted(ada.get(page).content.decode()) if "round_1" in name]
        before = arranged(stage)
        assert edit(ada, stage, "desk-stage-timetable", round_1_in_turn="on").status_code == 422
        address = f"/api/v1/contests/{hall.contest.slug}/desk/stages/{stage.pk}"
        for entry in ({"number": 1, "in_turn": True}, {"number": 1, "starts_at": "2199-06-06T10:00Z"}):
            refused = patch(program(hall.ada, "desk"), address, {"timetable": [entry]})
            assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "timetable")
        hidden = {"number": 3, "release": "manual"}
        assert patch(program(hall.ada, "desk"), address, {"timetable": [hidden]}).status_code == 422
        assert arranged(stage) == before


class TestDay:
    @pytest.fixture(autouse=True)
    def twelve_minutes(self, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
        """A match takes 12 minutes, two at a time."""
        one = durations.Budget(1, timedelta(minutes=12), measured=True)
        monkeypatch.setattr("tournaments.organising.durations.match_budget", lambda stage: one)
        monkeypatch.setattr(workload, "processes", lambda: 2)
        Contest.objects.update(upload_deadline=DAY - HOUR, time_zone="Europe/Vienna")
        hall.contest.refresh_from_db()
        timezone.activate("Europe/Vienna")

    def times(self, stage: Stage) -> list[Any]:
        day = stored_day(stage)
        assert day is not None
        return [each and (each - DAY) // timedelta(minutes=1) for it in day.rounds for each in (it.begins, it.ends)]

    def warned(self, stage: Stage) -> list[str]:
        day = stored_day(stage)
        assert day is not None
        return list(day.warnings)

    def test_estimates_add_up(self, hall: Hall) -> None:
        assert self.times(cup(hall, starts_at=DAY)) == [0, 24, 24, 36, 36, 48]
        first, *others = three(RoundWish(2, break_minutes=30))
        slow = cup(hall, replace(first, starts_at=DAY, in_turn=True), *others, starts_at=DAY)
        assert self.times(slow) == [0, 48, 78, 90, 90, 102]
        later = cup(hall, *three(RoundWish(2, starts_at=DAY + HOUR)), starts_at=DAY)
        assert self.times(later) == [0, 24, 60, 72, 72, 84]
        assert self.times(cup(hall)) == [None] * 6
        held = cup(hall, RoundWish(1), RoundWish(2, hold=True), RoundWish(3, starts_at=DAY + HOUR), starts_at=DAY)
        assert self.times(held) == [0, 24, None, None, 60, 72]

    def test_a_day_that_works_out_warns_of_nothing(self, hall: Hall) -> None:
        wishes = [RoundWish(1), RoundWish(2, starts_at=DAY + HOUR), RoundWish(3, break_minutes=10)]
        for arranged in (wishes, wishes[:1], [*wishes[:2], RoundWish(3)], [RoundWish(1, hold=True), RoundWish(2)]):
            assert self.warned(cup(hall, *arranged, starts_at=DAY)) == []

    def test_what_it_warns_of(self, hall: Hall) -> None:
        summer = datetime(2199, 10, 26, 22, tzinfo=UTC)  # the clocks go back at 01:00 UTC
        soon, later = RoundWish(2, starts_at=DAY + HOUR / 3), RoundWish(2, starts_at=summer + 4 * HOUR)
        cases = {
            "before uploads close": cup(hall, starts_at=DAY - 2 * HOUR),
            "after the start of Semi-finals": cup(hall, *three(soon), starts_at=DAY),
            "go back by 1 hour": cup(hall, *three(later), starts_at=summer),
            "its timetable has 5": cup(hall, *(RoundWish(number, hold=True) for number in range(1, 6)), format="swiss"),
            "its timetable has 2": cup(hall, RoundWish(1), RoundWish(2, hold=True), format="swiss"),
        }
        for said, stage in cases.items():
            assert [said in each for each in self.warned(stage)] == [True], (said, self.warned(stage))
        for start in (None, DAY - 3 * HOUR):
            held = cup(hall, RoundWish(1, hold=True), RoundWish(2, starts_at=DAY - 2 * HOUR), starts_at=start)
            assert ["before uploads close" in each for each in self.warned(held)][:1] == [True]
        third = RoundWish(3, release="moment", release_at=DAY + HOUR)
        past = cup(hall, *three(RoundWish(2, starts_at=DAY), third), starts_at=DAY - HOUR / 2)
        with time_machine.travel(DAY + 2 * HOUR, tick=False):
            assert len([each for each in self.warned(past) if "has passed" in each]) == 3

    def test_it_warns_of_rounds_that_are_lost_with_the_teams_that_can_play_now(self, hall: Hall) -> None:
        stage = cup(hall, *three(RoundWish(2), RoundWish(3, starts_at=DAY + 9 * HOUR)), starts_at=DAY)
        assert self.warned(stage) == []
        Submission.objects.filter(team__in=hall.ids[3:]).update(is_active=False)
        assert ["3 teams" in each for each in self.warned(stage)] == [True]

    def test_the_page_shows_the_day_in_the_zone_of_its_starts(self, hall: Hall, ada: Client) -> None:
        stage = cup(hall, *three(RoundWish(2, break_minutes=30)), starts_at=DAY - 2 * HOUR)
        page = ada.get(reverse("desk-stage", args=[hall.contest.slug, stage.pk]))
        day = page.context["timetable"][1][1]
        with timezone.override("Europe/Vienna"):  # which a script changes to that of the browser
            assert f"{timezone.localtime(day.begins):%H:%M}" == "10:54"
            assert all(str(when(moment)) in page.text for moment in (day.begins, day.ends))
        assert "before uploads close" in page.text
        api = program(hall.ada, "desk").get(f"/api/v1/contests/{hall.contest.slug}/desk/stages/{stage.pk}")
        assert [each for each in api.json()["warnings"] if "before uploads close" in each]

    def test_its_public_page_shows_it_before_anybody_knows_who_plays(self, hall: Hall) -> None:
        source = cup(hall)
        last = cup(hall, RoundWish(1), RoundWish(2, DAY + HOUR), starts_at=DAY, entry="best", source=source, best=4)
        for stage in (source, last):
            stages.publish(stage, hall.ada)
        assert str(when(DAY + HOUR)) in Client().get(last.get_absolute_url()).text
