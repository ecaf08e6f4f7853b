"""The desk's stage pages in a real browser: with mouse and keyboard, light and dark, at 320 px."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from contest.models import User
from tests.tournaments.stagecraft import Hall, by_strength, finish
from tournaments.models import Stage

pytestmark = [pytest.mark.long("browser"), pytest.mark.django_db(transaction=True)]

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
    expect(page.get_by_text("Invite at least one team.", exact=True)).to_be_visible()
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
