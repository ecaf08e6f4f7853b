"""Copies of public pages leave no trace of what is hidden either: they are made before and after it happens, and are
the same in both worlds, and the same as what the portal itself answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from contest.models import Contest
from tests.copies import Answer, Copies
from tests.tournaments.courtroom import Courtroom
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_hidden_games import judge_again, places
from tests.tournaments.test_two_worlds import ROUNDS, freeze, staged
from tests.tournaments.visitors import CHANCE, MOMENT
from tests.tournaments.worlds import Told, differing, in_both, play_on, public_addresses
from tournaments.models import Stage
from tournaments.organising import releases, stages

pytestmark = [pytest.mark.long("worlds"), pytest.mark.promise, pytest.mark.django_db]


@pytest.fixture
def copies() -> Copies:
    return Copies()


def plain(text: str) -> str:
    return MOMENT.sub(r"\1", CHANCE.sub("", text))


def seen(copies: Copies, asked: list[str]) -> Told:
    """What strangers get: copies that may be from before, and later what the portal itself answers."""
    copies.look()
    told = {f"{address} at once": answered(copies.ask(address, **live_of(address))) for address in asked}
    copies.later()
    direct = Client()
    for address in asked:
        told[address] = answered(copies.ask(address, **live_of(address)))
        expected = direct.get(address, headers=live_of(address))
        assert told[address] == (expected.status_code, plain(expected.content.decode())), address
    return told


def live_of(address: str) -> dict[str, str]:
    return {"HX-Request": "true"} if "rev=" in address else {}


def answered(answer: Answer) -> tuple[int, str]:
    return answer.status, plain(answer.text)


def shared(hall: Hall | Courtroom, copies: Copies) -> list[str]:
    found = [each for each in public_addresses(hall) if copies.may_copy(each.split("?rev")[0])]
    assert len(found) > 15
    return found


def check(hall: Hall, copies: Copies, *stories: Callable[[], None]) -> None:
    asked = shared(hall, copies)

    def told(story: Callable[[], None]) -> Callable[[], None]:
        def happens() -> None:
            copies.later()
            seen(copies, asked)  # copies from before
            story()

        return happens

    assert differing(in_both([told(story) for story in stories], lambda: seen(copies, asked))) == []


def test_a_freeze(copies: Copies) -> None:
    hall = Hall(8)
    stage = staged(hall, options={"advance": 1})
    play_on(stage, most=2)
    freeze(hall)
    check(hall, copies, lambda: play_on(stage), lambda: play_on(stage, weak=True, disqualify=True), lambda: None)


def test_rounds_that_are_not_released(copies: Copies) -> None:
    hall = Hall(8)
    stage = staged(hall, "swiss", options={"table_size": 2, "rounds": 3, "games": 1}, release=ROUNDS)
    check(hall, copies, lambda: play_on(stage), lambda: play_on(stage, weak=True))


def test_hidden_games(copies: Copies) -> None:
    hall = Courtroom(2).start()
    hall.send(hall.teams[0])
    match = hall.judge()
    asked = [each for each in places(hall, match) if copies.may_copy(each.split("?rev")[0])]
    assert len(asked) > 5

    def story(again: bool) -> None:
        copies.later()
        seen(copies, asked)
        if again:
            judge_again(hall, match, "right")

    assert differing(in_both([lambda: story(False), lambda: story(True)], lambda: seen(copies, asked))) == []


def test_what_is_public_is_seen_and_what_is_hidden_again_is_gone(copies: Copies) -> None:
    hall = Hall(8)
    stage = staged(hall, "swiss", options={"table_size": 2, "rounds": 2, "games": 1}, release=ROUNDS)
    asked = shared(hall, copies)
    before = seen(copies, asked)
    play_on(stage)
    releases.release_all(Stage.objects.get(pk=stage.pk), hall.ada)
    assert seen(copies, asked) != before
    page = f"/c/{hall.contest.slug}/bracket/{stage.pk}/"
    assert copies.ask(page).status == 200
    Contest.objects.filter(pk=hall.contest.pk).update(visibility=Contest.Visibility.PRIVATE)
    copies.later()
    assert copies.ask(page).status == 404
    assert all(status in (200, 404) for status, _ in seen(copies, asked).values())


def test_a_stage_that_is_unpublished_is_gone(copies: Copies) -> None:
    hall = Hall(8)
    stage = staged(hall, start=False)
    stages.publish(stage, hall.ada)
    page = f"/c/{hall.contest.slug}/bracket/{stage.pk}/"
    copies.look()
    assert copies.ask(page).status == 200
    stages.unpublish(Stage.objects.get(pk=stage.pk), hall.ada)
    copies.later()
    assert copies.ask(page).status == 404
