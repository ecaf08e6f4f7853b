"""Every preset as its organisers ran it, played to its champion."""

from __future__ import annotations

from datetime import timedelta

from contest import presets as contest_presets
from games.engine import FaultKind
from tests.upgrades.old.acting import CLOCK, DAY, Story, climb, faults, finish, fresh, play_on, tables, waiting
from tournaments import reviews, schedule, stages
from tournaments.models import Stage


def prepared(story: Story) -> list[Stage]:
    """The preset's stages, as drafts, with fixed seeds."""
    contest_presets.prepare(story.contest, story.by)
    for number, stage in enumerate(story.contest.stages.order_by("pk")):
        Stage.objects.filter(pk=stage.pk).update(seed=2**62 + 100 + number)
    return list(story.contest.stages.order_by("pk"))


def utah() -> None:
    """The referee disqualifies one team of a first table and two of another."""
    story = Story("Utah", 11, preset="utah-1998", options={"target": 1})
    stage = story.start(prepared(story)[0])
    first, second, *_ = tables(stage, 1)
    finish(first, faulty=faults(first, [1]))
    finish(second, faulty=faults(second, [0], FaultKind.CRASH) | faults(second, [1], FaultKind.GARBLED))
    assert play_on(stage).state == Stage.State.DONE


def bospre() -> None:
    """Right at once, right at the second attempt, right in the published games alone, and never sent."""
    story = Story("Bospre", 4, "even_steven", preset="bospre-2009", bots=0)
    stage = story.start(prepared(story)[0])
    for at, how in ((0, "wrong"), (1, ""), (0, ""), (2, "late"), (2, "wrong")):
        CLOCK.go_on(timedelta(minutes=11))
        story.send(story.teams[at])
        schedule.reconcile(stage)
        match = waiting(stage)
        assert match is not None
        finish(match, wrong=how)
    CLOCK.at = max(CLOCK.at, story.contest.upload_deadline + DAY)
    schedule.reconcile(stage)
    assert fresh(stage).state == Stage.State.DONE


def comp1511() -> None:
    story = Story("Comp", 7, "intensity", preset="comp1511-2018")
    stage = story.start(prepared(story)[0])
    match = waiting(stage)
    assert match is not None
    finish(match, faulty=faults(match, [0], FaultKind.ILLEGAL))
    assert play_on(stage).state == Stage.State.DONE


def mactech() -> None:
    """Processor time costs points here. A review with the same result was dropped, one was applied."""
    story = Story("Mactech", 5, "hearts", preset="mactech-1998", options={"target": 1})
    stage = story.start(prepared(story)[0])
    stage = play_on(stage)
    assert stage.state == Stage.State.DONE
    first, second, *_ = stage.matches.done().order_by("pk")
    dropped = reviews.start(stage, story.by, "Somebody asked for it.", [first.pk])
    finish(dropped.matches.get())
    reviews.drop(dropped, story.by)
    applied = reviews.start(stage, story.by, "The machine was busy.", [second.pk], other_deals=True)
    finish(applied.matches.get())
    reviews.apply(applied, story.by)
    assert fresh(stage).state == Stage.State.DONE


def barracuda() -> None:
    """The ladder of the open weeks, with programs that connect and versions that change, and the final after it."""
    options = {"target": 1, "games_to_win": 2, "lead": 2}
    story = Story("Barracuda", 5, "barracuda", preset="barracuda-2014", options=options, bots=4)
    ladder, final = prepared(story)
    stages.publish(final, story.by)
    ladder = story.start(ladder)

    def before(number: int) -> None:
        if number % 2:
            story.connect(story.teams[4])
        if number in (3, 6):
            story.send(story.teams[number % 4])

    climb(ladder, 10, before)
    assert ladder.ends_at is not None
    CLOCK.at = ladder.ends_at
    schedule.reconcile(ladder)
    while match := waiting(ladder):
        finish(match)
    schedule.reconcile(ladder)
    assert fresh(ladder).state == Stage.State.DONE
    story.connect(story.teams[4])
    stages.redraw(final)
    stages.start(final, None)
    assert play_on(final).state == Stage.State.DONE


STORIES = (utah, bospre, comp1511, mactech, barracuda)
