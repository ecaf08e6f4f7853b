"""The desk's stage pages in a real browser: with mouse and keyboard, light and dark, at 320 px."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from contest import workers
from contest.models import User
from submissions.models import Submission
from tests.looks import each_look
from tests.tournaments.organising.test_reviews import first_round, play_review
from tests.tournaments.stagecraft import Hall, by_strength, finish, play_out
from tournaments.formats import fitting
from tournaments.models import Stage
from tournaments.organising import rehearsals, releases, reviews, stages
from tournaments.playing import play

pytestmark = [pytest.mark.long("browser"), pytest.mark.django_db(transaction=True)]

LONG_NAME = "Incrediblylongnamedteamwithoutasinglespaceinit-of-the-Wasatch"[:60]
Axe = Callable[[Page], None]
LogIn = Callable[[Page, User], None]


class Visit:
    """The organiser's browser."""

    def __init__(self, page: Page, base: str, hall: Hall) -> None:
        self.page, self.base, self.hall = page, base, hall
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda it: self.complaints.append(it.text) if it.type == "error" else None)

    def to(self, name: str, *args: Any) -> None:
        self.page.goto(self.base + reverse(name, args=[self.hall.contest.slug, *args]))

    def places(self) -> list[str]:
        return [str(row.locator("th").inner_text()) for row in self.page.locator("[data-seeding] tbody tr").all()]

    def numbers(self) -> list[str]:
        return [field.input_value() for field in self.page.locator("[data-seeding] tbody input").all()]


@pytest.fixture
def visit(page: Page, live_server: Any, log_in: LogIn) -> Visit:
    hall = Hall(teams=6)
    log_in(page, hall.ada)
    return Visit(page, live_server.url, hall)


def released_by_rounds(hall: Hall) -> None:
    """A stage with one public round and another that can be released, and a planned freeze."""
    wish = stages.Wish("By rounds", options={"table_size": 2}, release=Stage.Release.ROUNDS)
    stage = stages.create(hall.contest, hall.ada, wish)
    stages.start(stage, hall.ada)
    play_out(stage)
    releases.release(stage, hall.ada, 1)
    releases.freeze(hall.contest, hall.ada, timezone.now() + timedelta(hours=1))


def test_from_a_draft_to_the_first_matches(visit: Visit) -> None:
    page = visit.page
    visit.to("desk-stages")
    page.get_by_role("link", name="New stage").click()
    page.get_by_label("Name").fill("Saturday Cup")
    page.get_by_label("Teams that advance from a table").select_option("2")
    page.get_by_role("button", name="Create the stage").click()
    expect(page.get_by_role("heading", name="Saturday Cup")).to_be_visible()
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.locator("#stage").get_by_text("Published").first).to_be_visible()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Start now").click()
    expect(page.locator("#stage").get_by_text("In progress").first).to_be_visible()
    stage = Stage.objects.get()
    for match in stage.matches.all():
        finish(match, by_strength(match))
    expect(page.locator("#stage").get_by_text("Decided").first).to_be_visible()
    assert visit.complaints == []


def test_seeding_by_hand_with_buttons_numbers_and_the_mouse(visit: Visit) -> None:
    page, names = visit.page, [team.name for team in visit.hall.teams]
    visit.to("desk-stage-new")
    expect(page.locator("[data-seeding]")).to_be_hidden()
    page.get_by_label("By hand").check()
    expect(page.locator("[data-seeding]")).to_be_visible()
    page.get_by_role("button", name=f"Move {names[2]} up").click()
    assert visit.places()[:3] == [names[0], names[2], names[1]]
    assert visit.numbers() == ["1", "2", "3", "4", "5", "6"]
    page.keyboard.press("Enter")  # the button has kept the focus
    assert visit.places()[:3] == [names[2], names[0], names[1]]
    expect(page.locator("[data-seeding-said]")).to_have_text(f"{names[2]}: place 1")
    field = page.get_by_label(f"Seed of {names[5]}")
    field.fill("2")
    assert visit.places()[5] == names[5]
    field.press("Enter")
    assert visit.places()[:3] == [names[2], names[5], names[0]]
    expect(field).to_be_focused()
    rows = page.locator("[data-seeding] tbody tr")
    rows.nth(5).locator("th").drag_to(rows.nth(0).locator("th"), target_position={"x": 5, "y": 2})
    assert visit.numbers() == ["1", "2", "3", "4", "5", "6"]
    expected = visit.places()
    assert expected[0] != names[2]
    page.get_by_role("button", name="Create the stage").click()
    expect(page.get_by_role("heading", name="Cup", exact=True)).to_be_visible()
    order = Stage.objects.get().order
    assert [team.name for team in sorted(visit.hall.teams, key=lambda team: order.index(team.pk))] == expected
    assert visit.complaints == []


def test_fields_come_and_go_with_the_choices_that_need_them(visit: Visit) -> None:
    page, hall = visit.page, visit.hall
    hall.stage(start=False)
    visit.to("desk-stage-new")
    page.get_by_role("link", name="Swiss system").click()
    expect(page.get_by_label("Rounds", exact=True)).to_be_visible()
    best, invited = page.get_by_label("Number of teams", exact=True), page.get_by_role("group", name="Invited teams")
    expect(best).to_be_hidden()
    expect(invited).to_be_hidden()
    page.get_by_label("Invited teams", exact=True).first.check()
    expect(invited).to_be_visible()
    page.get_by_role("button", name="Create the stage").click()
    expect(page.get_by_text("Invite at least one team.")).to_be_visible()
    page.get_by_label("The best teams of an earlier stage").check()
    expect(best).to_be_visible()
    best.fill("4")
    page.get_by_label("By rank in the earlier stage").check()
    page.get_by_label("Start when the earlier stage is finished").check()
    page.get_by_role("button", name="Recalculate").click()
    expect(page.get_by_role("region", name="Matches and time")).to_contain_text("4 teams play 2 matches")
    page.get_by_role("button", name="Create the stage").click()
    expect(page.get_by_role("heading", name="Swiss", exact=True)).to_be_visible()
    expect(page.get_by_text("the best 4 of Cup").first).to_be_visible()
    stage = Stage.objects.get(name="Swiss")
    assert (stage.entry, stage.best, stage.seeding, stage.starts_after) == ("best", 4, "source", True)
    assert [said for said in visit.complaints if "422" not in said] == []


def look_at(visit: Visit, axe: Axe, addresses: list[str]) -> None:
    """Every page fits, and axe finds nothing."""
    page, wrong = visit.page, []
    for address in addresses:
        page.goto(visit.base + address)
        for _, width in each_look(page):
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
                wrong.append(f"{address} is {wide} px wide on a screen of {width}")
            axe(page)
    assert wrong == []


def test_the_forms_of_all_formats_fit_and_axe_finds_nothing(visit: Visit, axe: Axe) -> None:
    hall = visit.hall
    User.objects.filter(pk=hall.ada.pk).update(is_superuser=True)  # may create contests
    cup = hall.stage(start=False)
    wish = stages.Wish("Open play", "ladder", entry="invited", invited=hall.ids[:3], source=cup, starts_after=True)
    ladder = stages.create(hall.contest, hall.ada, wish)
    forms = [
        f"{reverse('desk-stage-new', args=[hall.contest.slug])}?format={it.slug}" for it in fitting(hall.contest.game)
    ]
    others = [reverse("desk-stage", args=[hall.contest.slug, ladder.pk]), "/c/new/?preset=hearts:open"]
    look_at(visit, axe, [*forms, *others])


def test_every_page_fits_and_axe_finds_nothing(visit: Visit, axe: Axe) -> None:
    hall = visit.hall
    hall.teams[0].name = LONG_NAME
    hall.teams[0].save()
    Submission.objects.filter(team=hall.teams[5]).update(is_active=False)
    draft = hall.stage(start=False)
    running = hall.stage()
    first, second = running.matches.all()
    finish(first, by_strength(first))
    stages.void(first, hall.ada, "the lights went out in the middle of it, and nobody knows what was played")
    play.put_back(play.claim(second.pk, "apollo:77"), "bwrap: " + "x" * 200, timezone.now())  # type: ignore[arg-type]
    play.claim(running.matches.valid().exclude(pk=second.pk).get().pk, "apollo:78")
    final = hall.stage()
    play_out(final)
    released_by_rounds(hall)
    rehearsals.ask(draft, hall.ada)
    rehearsals.play_next()
    review = reviews.start(final, hall.ada, "the lights went out", first_round(final))
    play_review(review)
    pages = (
        ("desk",),
        ("desk-stages",),
        ("desk-stage-new",),
        ("desk-stage-edit", draft.pk),
        ("desk-stage", draft.pk),
        ("desk-stage", running.pk),
        ("desk-stage-void", running.pk, second.pk),
        ("desk-check-in",),
        ("desk-queue",),
        ("desk-workers",),
        ("desk-visibility",),
        ("desk-team", hall.ids[0]),
        ("desk-team-disqualify", hall.ids[0]),
        ("desk-stage-rehearsal", draft.pk),
        ("desk-stage-reviews", final.pk),
        ("desk-stage-review-new", final.pk),
        ("desk-stage-review", final.pk, review.pk),
        ("desk-audit-log",),
    )
    workers.sign_of_life(f"matches@{'portal-of-the-society-' * 3}7f3a21", ("matches", "builds"))
    look_at(visit, axe, [reverse(name, args=[hall.contest.slug, *args]) for name, *args in pages])
    visit.page.goto(visit.base + reverse("desk-workers", args=[hall.contest.slug]))
    visit.page.set_viewport_size({"width": 320, "height": 800})
    sizes = visit.page.locator(".table-wrap").evaluate("it => [it.scrollWidth, it.clientWidth]")
    assert sizes[0] <= sizes[1], "all of it is in sight on a telephone"
