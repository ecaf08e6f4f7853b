"""Times in the zone of the contest, and its dates typed in it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest.clone import Wish as CloneWish
from contest.clone import clone
from contest.models import Contest, Scope, User
from contest.setup_forms import ContestForm, OptionsForm
from tests.cast import make_contest, make_user
from tests.markup import submitted
from tests.programs import patch, post, program
from tournaments.models import Round, Stage
from tournaments.organising import stages
from tournaments.organising.stage_settings import Wish

pytestmark = pytest.mark.django_db
NOON = datetime(2030, 1, 15, 12, 0, tzinfo=UTC)


def test_pages_name_the_zone_of_the_contest() -> None:
    contest = make_contest(upload_deadline=NOON, entry_deadline=NOON, time_zone="Europe/Berlin")
    text = Client().get(contest.get_absolute_url()).text
    assert '<time datetime="2030-01-15T12:00:00+00:00">Tue 15 Jan 2030, 13:00\N{NO-BREAK SPACE}CET</time>' in text
    assert "Times are Europe/Berlin (CE" in text
    assert "Times are UTC." in Client().get("/").text


class TestOfAContest:
    """Its dates are set and shown in its own zone. The clocks of Berlin go back on 25 October 2026."""

    DATES = ("2026-10-20T18:00", "2026-10-24T18:00", "2026-10-26T18:00")
    MOMENTS = (
        datetime(2026, 10, 20, 16, 0, tzinfo=UTC),
        datetime(2026, 10, 24, 16, 0, tzinfo=UTC),
        datetime(2026, 10, 26, 17, 0, tzinfo=UTC),
    )
    NAMES = ("opens_at", "entry_deadline", "upload_deadline")

    @pytest.fixture
    def nora(self) -> User:
        return make_user("nora", is_staff=True)

    @pytest.fixture
    def contest(self, nora: User) -> Contest:
        made = make_contest(nora, "Autumn Cup", time_zone="Europe/Berlin")
        Contest.objects.filter(pk=made.pk).update(**dict(zip(self.NAMES, self.MOMENTS, strict=True)))
        return Contest.objects.get(pk=made.pk)

    def dates(self, contest: Contest) -> tuple[datetime, ...]:
        contest.refresh_from_db()
        return tuple(getattr(contest, name) for name in self.NAMES)

    def settings(self, contest: Contest, **changes: object) -> dict[str, object]:
        forms = ContestForm(instance=contest), OptionsForm(contest.game, contest.preset)
        fields = {form.add_prefix(name): form[name].value() for form in forms for name in form.fields}
        sent = {name: value for name, value in fields.items() if value not in (None, False)}
        return {**sent, **dict(zip(self.NAMES, self.DATES, strict=True)), **changes}

    def test_organisers_type_its_local_times(self, contest: Contest, nora: User) -> None:
        client = Client()
        client.force_login(nora)
        page = reverse("desk-settings", args=[contest.slug])
        text = client.get(page).text
        for local in self.DATES:
            assert f'value="{local}"' in text
        assert 'data-zone="Europe/Berlin"' in text
        assert 'data-zone="Europe/Berlin"' in client.get(reverse("desk-stage-new", args=[contest.slug])).text
        later = {"upload_deadline": "2026-10-27T09:30"}
        assert client.post(page, self.settings(contest, **later)).status_code == 302
        assert self.dates(contest)[2] == datetime(2026, 10, 27, 8, 30, tzinfo=UTC)
        assert client.post(page, self.settings(contest, time_zone="Mars/Olympus")).status_code == 422

    def test_programs_send_moments_or_its_local_times(self, contest: Contest, nora: User) -> None:
        client = program(nora, Scope.DESK)
        address = f"/api/v1/contests/{contest.slug}/desk/settings"
        assert client.get(address).json()["time_zone"] == "Europe/Berlin"
        answer = patch(client, address, {"upload_deadline": "2026-10-28T12:00"})
        assert answer.json()["upload_deadline"] == "2026-10-28T11:00:00Z"
        answer = patch(client, address, {"upload_deadline": "2026-10-28T12:00:00Z"})
        assert answer.json()["upload_deadline"] == "2026-10-28T12:00:00Z"
        before = self.dates(contest)
        sent = {"time_zone": "Asia/Tokyo", "keep": "moments"}
        assert patch(client, address, sent).json()["time_zone"] == "Asia/Tokyo"
        assert self.dates(contest) == before, "moments stay what they are"
        assert patch(client, address, {"time_zone": "Mars/Olympus"}).status_code == 422
        preset = f"{contest.game_slug}:{contest.preset}"
        sent = {"name": "By program", "preset": preset, "time_zone": "Asia/Tokyo"}
        made = post(client, "/api/v1/contests", sent).json()
        assert made["time_zone"] == "Asia/Tokyo"
        assert made["upload_deadline"].endswith("T14:59:00Z"), "the end of a day there"

    def at(self, monkeypatch: pytest.MonkeyPatch, day: int) -> None:
        """It is noon on this day of October."""
        monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 10, day, 12, 0, tzinfo=UTC))

    def final(self, contest: Contest, nora: User, **moments: datetime) -> Stage:
        stage = stages.create(contest, nora, Wish("Final", starts_at=moments.get("starts_at")))
        Stage.objects.filter(pk=stage.pk).update(**moments)
        return Stage.objects.get(pk=stage.pk)

    def test_another_zone_asks_what_stays_and_says_what_would_move(
        self, contest: Contest, nora: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It is asked on the page and in the API, about dates in the future of what has not begun."""
        self.at(monkeypatch, 21)
        self.final(contest, nora, starts_at=self.MOMENTS[2])
        begun = self.final(contest, nora, starts_at=self.MOMENTS[2])
        Stage.objects.filter(pk=begun.pk).update(name="Ladder", state=Stage.State.RUNNING)
        before = self.dates(contest)
        client = Client()
        client.force_login(nora)
        page = reverse("desk-settings", args=[contest.slug])
        sent = self.settings(contest, time_zone="Asia/Tokyo")
        answer = client.post(page, sent)
        assert answer.status_code == 422
        said = list(answer.context["form"].errors["keep"])
        assert said[1:] == [
            "Entry deadline: Sat 24 Oct 2026, 18:00 CEST → Sat 24 Oct 2026, 18:00 JST, 7:00 h earlier",
            "Upload deadline: Mon 26 Oct 2026, 18:00 CET → Mon 26 Oct 2026, 18:00 JST, 8:00 h earlier",
            "“Final”, starts at: Mon 26 Oct 2026, 18:00 CET → Mon 26 Oct 2026, 18:00 JST, 8:00 h earlier",
        ]
        api = program(nora, Scope.DESK)
        address = f"/api/v1/contests/{contest.slug}/desk/settings"
        problem = patch(api, address, {"time_zone": "Asia/Tokyo"})
        assert problem.status_code == 422
        assert [each["detail"] for each in problem.json()["errors"] if each["field"] == "keep"] == said
        assert self.dates(contest) == before
        assert contest.time_zone == "Europe/Berlin"
        assert "keep" not in client.get(page).context["form"].fields
        assert client.post(page, {**sent, "keep": "moments"}).status_code == 302
        assert self.dates(contest) == before
        assert contest.time_zone == "Asia/Tokyo"
        assert Stage.objects.get(name="Final").starts_at == self.MOMENTS[2]

    @pytest.mark.parametrize("by", ["page", "program"])
    def test_kept_clock_times_move_everything_that_has_not_begun(
        self, contest: Contest, nora: User, by: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """By the difference between the zones at each date. Dates that are typed with it stay as they were typed."""
        self.at(monkeypatch, 21)
        stage = self.final(contest, nora, starts_at=self.MOMENTS[2], ends_at=datetime(2026, 10, 21, 11, 0, tzinfo=UTC))
        later = Round.objects.create(stage=stage, number=2, starts_at=self.MOMENTS[2] + timedelta(hours=1))
        Contest.objects.filter(pk=contest.pk).update(frozen_from=self.MOMENTS[1])
        typed = {"time_zone": "America/New_York", "keep": "clock_times", "upload_deadline": "2026-10-27T10:00"}
        if by == "page":
            client = Client()
            client.force_login(nora)
            page = reverse("desk-settings", args=[contest.slug])
            assert client.post(page, {**submitted(client.get(page).text), **typed}).status_code == 302
        else:
            api = program(nora, Scope.DESK)
            assert patch(api, f"/api/v1/contests/{contest.slug}/desk/settings", typed).status_code == 200
        opens, entry, upload = self.dates(contest)
        assert opens == self.MOMENTS[0], "in the past"
        assert entry == contest.frozen_from == datetime(2026, 10, 24, 22, 0, tzinfo=UTC)
        assert upload == datetime(2026, 10, 27, 14, 0, tzinfo=UTC)
        stage.refresh_from_db()
        assert stage.starts_at == datetime(2026, 10, 26, 22, 0, tzinfo=UTC), "in Europe the clocks have changed"
        assert stage.ends_at == datetime(2026, 10, 21, 11, 0, tzinfo=UTC)
        later.refresh_from_db()
        assert later.starts_at == datetime(2026, 10, 26, 23, 0, tzinfo=UTC)
        assert later.moves == 1, "calendars follow"
        assert contest.acts.get(verb="change stage", target="Final").data["changes"] == {
            "starts at": ["2026-10-26T17:00+00:00", "2026-10-26T22:00+00:00"],
            "Round 2, starts at": ["2026-10-26T18:00+00:00", "2026-10-26T23:00+00:00"],
        }

    def test_no_date_moves_into_the_past(self, contest: Contest, nora: User, monkeypatch: pytest.MonkeyPatch) -> None:
        self.at(monkeypatch, 24)
        before = self.dates(contest)
        sent = {"time_zone": "Asia/Tokyo", "keep": "clock_times"}
        answer = patch(program(nora, Scope.DESK), f"/api/v1/contests/{contest.slug}/desk/settings", sent)
        assert answer.status_code == 422
        assert "Entry deadline" in answer.json()["detail"]
        assert "Upload deadline" not in answer.json()["detail"]
        assert self.dates(contest) == before

    def test_a_copy_keeps_the_wall_clock_over_the_change(self, contest: Contest, nora: User) -> None:
        copy = clone(contest, nora, CloneWish("Again", datetime(2026, 11, 3, 17, 0, tzinfo=UTC))).contest
        assert copy.time_zone == "Europe/Berlin"
        wall = [moment.astimezone(ZoneInfo("Europe/Berlin")).strftime("%d %H:%M") for moment in self.dates(copy)]
        assert wall == ["03 18:00", "07 18:00", "09 18:00"]
