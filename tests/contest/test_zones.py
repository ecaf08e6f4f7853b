"""Times in the reader's zone, deadlines also in the official one, and how people choose."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import zones
from contest.clone import Wish, clone
from contest.models import Contest, Scope, User
from contest.setup_forms import ContestForm, OptionsForm
from tests.cast import make_contest, make_user
from tests.programs import patch, post, program

pytestmark = pytest.mark.django_db
NOON = datetime(2030, 1, 15, 12, 0, tzinfo=UTC)


def choose(client: Client, zone: str, **more: str) -> Any:
    return client.post(reverse("zone"), {"time_zone": zone, **more})


@pytest.fixture
def page() -> str:
    contest = make_contest(upload_deadline=NOON, entry_deadline=NOON)
    Contest.objects.filter(pk=contest.pk).update(ended_at=datetime(2026, 7, 1, 12, 0, tzinfo=UTC))
    return contest.get_absolute_url()


def test_times_are_the_portals_until_somebody_chooses(page: str) -> None:
    text = Client().get(page).text
    assert "15 Jan 2030, 12:00\N{NO-BREAK SPACE}UTC" in text
    assert "for you" not in text
    assert "Times are UTC." in text


def test_a_choice_without_an_account_stays_in_the_browser(page: str) -> None:
    client = Client()
    assert choose(client, "Asia/Tokyo", next=page)["Location"] == page
    text = client.get(page).text
    assert "15 Jan 2030, 12:00\N{NO-BREAK SPACE}UTC" in text, "deadlines keep the official time"
    assert "(for you Tue 15 Jan 2030, 21:00\N{NO-BREAK SPACE}JST)" in text
    assert "1 Jul 2026, 21:00\N{NO-BREAK SPACE}JST" in text
    assert "Times are Asia/Tokyo (JST)." in text
    assert "Times are UTC." in Client().get(page).text, "nobody else is concerned"
    choose(client, "")
    assert "Times are UTC." in client.get(page).text


def test_with_an_account_it_holds_wherever_they_log_in(page: str) -> None:
    nora = make_user("nora")
    client, elsewhere = Client(), Client()
    client.force_login(nora)
    choose(client, "Europe/Berlin")
    elsewhere.force_login(nora)
    assert "Times are Europe/Berlin (C" in elsewhere.get(page).text
    assert "Europe/Berlin" in elsewhere.get(reverse("account")).text


def test_a_browser_may_propose_a_zone_but_changes_nothing(page: str) -> None:
    client = Client()
    client.force_login(make_user("nora"))
    assert '<option value="Asia/Tokyo" selected>' in client.get(reverse("zone"), {"zone": "Asia/Tokyo"}).text
    assert "Times are UTC." in client.get(page).text
    assert User.objects.get(username="nora").time_zone == ""


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "\0", "x" * 5000])
def test_nonsense_is_refused_and_a_forged_cookie_ignored(page: str, zone: str) -> None:
    assert choose(Client(), zone).status_code == 422
    client = Client()
    client.cookies[zones.COOKIE] = zone
    assert "Times are UTC." in client.get(page).text


@pytest.mark.parametrize("next", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_nobody_is_sent_elsewhere(next: str) -> None:
    assert choose(Client(), "UTC", next=next)["Location"] == reverse("zone")


def test_fields_of_forms_stay_in_the_official_zone() -> None:
    ada = make_user()
    contest = make_contest(ada, upload_deadline=NOON, entry_deadline=NOON)
    client = Client()
    client.force_login(ada)
    choose(client, "Asia/Tokyo")
    text = client.get(reverse("desk-settings", args=[contest.slug])).text
    assert 'value="2030-01-15T12:00"' in text
    assert 'data-zone="UTC"' in text


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
        return make_user("nora", time_zone="America/New_York", is_staff=True)

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

    def test_pages_show_it_to_readers_who_have_chosen_none_and_beside_their_own(self, contest: Contest) -> None:
        page = contest.get_absolute_url()
        text = Client().get(page).text
        assert "Sat 24 Oct 2026, 18:00\N{NO-BREAK SPACE}CEST" in text
        assert "Mon 26 Oct 2026, 18:00\N{NO-BREAK SPACE}CET" in text
        assert "Times are Europe/Berlin (" in text
        client = Client()
        choose(client, "Asia/Tokyo")
        text = client.get(page).text
        assert "18:00\N{NO-BREAK SPACE}CET <span" in text
        assert "(for you Tue 27 Oct 2026, 02:00\N{NO-BREAK SPACE}JST)" in text
        assert timezone.get_current_timezone_name() == "UTC", "only while the request is answered"
        assert "Times are UTC." in Client().get(reverse("home")).text

    def test_so_does_the_page_to_enter(self, nora: User) -> None:
        opens, closes = datetime(2040, 7, 1, 16, 0, tzinfo=UTC), datetime(2040, 8, 1, 16, 0, tzinfo=UTC)
        dates = {"opens_at": opens, "entry_deadline": closes, "upload_deadline": closes}
        coming = make_contest(make_user(), time_zone="Europe/Berlin", **dates)
        client = Client()
        client.force_login(nora)
        assert "18:00\N{NO-BREAK SPACE}CEST <span" in client.get(reverse("enter", args=[coming.slug])).text

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
        assert client.post(page, self.settings(contest, time_zone="UTC")).status_code == 302
        assert self.dates(contest)[1] == datetime(2026, 10, 24, 18, 0, tzinfo=UTC), (
            "in the zone that was chosen with them"
        )
        assert client.post(page, self.settings(contest, time_zone="Mars/Olympus")).status_code == 422

    def test_a_new_one_has_the_zone_of_whoever_makes_it(self, nora: User, settings: Any) -> None:
        settings.CONTEST_CREATORS = "staff"
        client = Client()
        client.force_login(nora)
        page = client.get(reverse("contest-new")).text
        assert '<option value="America/New_York" selected>' in page
        assert 'data-zone="America/New_York"' in page
        assert make_contest(nora).time_zone == "America/New_York"
        assert make_contest(make_user()).time_zone == "UTC"

    def test_programs_send_moments_or_its_local_times(self, contest: Contest, nora: User) -> None:
        client = program(nora, Scope.DESK)
        address = f"/api/v1/contests/{contest.slug}/desk/settings"
        assert client.get(address).json()["time_zone"] == "Europe/Berlin"
        answer = patch(client, address, {"upload_deadline": "2026-10-28T12:00"})
        assert answer.json()["upload_deadline"] == "2026-10-28T11:00:00Z"
        answer = patch(client, address, {"upload_deadline": "2026-10-28T12:00:00Z"})
        assert answer.json()["upload_deadline"] == "2026-10-28T12:00:00Z"
        before = self.dates(contest)
        assert patch(client, address, {"time_zone": "Asia/Tokyo"}).json()["time_zone"] == "Asia/Tokyo"
        assert self.dates(contest) == before, "moments stay what they are"
        assert patch(client, address, {"time_zone": "Mars/Olympus"}).status_code == 422
        preset = f"{contest.game_slug}:{contest.preset}"
        sent = {"name": "By program", "preset": preset, "time_zone": "Asia/Tokyo"}
        made = post(client, "/api/v1/contests", sent).json()
        assert made["time_zone"] == "Asia/Tokyo"
        assert made["upload_deadline"].endswith("T14:59:00Z"), "the end of a day there"

    def test_a_copy_keeps_the_wall_clock_over_the_change(self, contest: Contest, nora: User) -> None:
        copy = clone(contest, nora, Wish("Again", datetime(2026, 11, 3, 17, 0, tzinfo=UTC))).contest
        assert copy.time_zone == "Europe/Berlin"
        wall = [moment.astimezone(ZoneInfo("Europe/Berlin")).strftime("%d %H:%M") for moment in self.dates(copy)]
        assert wall == ["03 18:00", "07 18:00", "09 18:00"]
