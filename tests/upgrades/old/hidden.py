"""Contests of which the public does not see all: freezes, release by rounds, judged problems."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from contest import contests
from contest.models import Contest
from tests.upgrades.old.acting import (
    CLOCK,
    FOREVER,
    Story,
    by_seed,
    climb,
    faults,
    finish,
    fresh,
    play_on,
    tables,
    waiting,
    weaker_wins,
)
from tournaments import releases, reviews, schedule, stages
from tournaments.models import Match, Stage

Entry, Seeding, State = Stage.Entry, Stage.Seeding, Stage.State
TWOS = {"table_size": 2, "games": 1}
SHORT = {"target": 1}
ROUNDS = Stage.Release.ROUNDS


def freeze(story: Story) -> None:
    CLOCK.go_on(timedelta(minutes=1))
    releases.freeze(story.reread(), story.by)
    CLOCK.go_on(timedelta(minutes=1))
    story.reread()


def apply(story: Story, stage: Stage, chosen: list[Match]) -> None:
    review = reviews.start(stage, story.by, "A complaint.", [match.pk for match in chosen])
    for match in review.matches.order_by("pk"):
        finish(match, weaker_wins)
    reviews.apply(review, story.by)


def frozen_bracket() -> None:
    """On both sides of the freeze: results, void matches, an applied review, a team that left, a stage that finished. A
    stage led by it was drawn and played since."""
    story = Story("Frozen", 8, "barracuda", options=SHORT)
    ladder = story.stage("Ladder", "ladder", options={"table_size": 2, "games": 1, "pause": 0})
    climb(ladder, 6)
    stages.void(ladder.matches.done().order_by("pk")[1], story.by, "A wrong program.")
    cup = story.stage("Cup", options={**TWOS, "third_place": True})
    play_on(cup, by_seed, round=1)
    stages.void(tables(cup, 1)[3], story.by, "The lights went out.")
    play_on(cup, by_seed, most=2)
    apply(story, ladder, list(ladder.matches.done().order_by("pk")[2:3]))
    early = reviews.start(ladder, story.by, "Another one.", [ladder.matches.done().order_by("pk")[3].pk])
    finish(early.matches.get(), weaker_wins)
    led = story.stage("Final", start=False, options=TWOS, entry=Entry.BEST, source=cup, best=4, seeding=Seeding.SOURCE)
    stages.publish(led, story.by)
    freeze(story)
    play_on(cup, by_seed)
    climb(ladder, 4)
    stages.void(ladder.matches.done().order_by("pk")[0], story.by, "A wrong program, too.")
    stages.void(tables(cup, 1)[0], story.by, "The lights had gone out here, too.")
    play_on(cup, weaker_wins)
    reviews.apply(early, story.by)
    apply(story, cup, tables(cup, 1)[1:2])
    play_on(cup, by_seed)
    stages.disqualify(story.teams[6], story.by, "Two programs of one author.")
    assert fresh(cup).state == State.DONE
    stages.redraw(led)
    play_on(story.start(led), by_seed)
    apply(story, ladder, list(ladder.matches.done().order_by("pk")[1:3]))
    climb(ladder, 2)


def frozen_swiss() -> None:
    """Void since the freeze: matches of an early round, while the next one is drawn, and with a pause."""
    for name, played, hold in (("Icy", 5, False), ("Snow", 9, False), ("Frost", 9, True)):
        story = Story(name, 6, "barracuda", options=SHORT)
        stage = story.stage("Swiss", "swiss", options={**TWOS, "rounds": 3})
        play_on(stage, by_seed, most=played)
        if played < 9:
            play_on(stage, by_seed, most=1)
        freeze(story)
        stages.void(tables(stage, 1)[0], story.by, "It was the wrong program.", hold=hold)
        if hold:
            assert fresh(stage).state == State.PAUSED
        else:
            play_on(stage, weaker_wins, most=2)


def frozen_and_over() -> None:
    """A bracket that was over before the freeze: a void match with a pause, and a review, since."""
    story = Story("Over", 4, "barracuda", options=SHORT)
    stage = story.stage("Cup", options=TWOS)
    play_on(stage, by_seed)
    freeze(story)
    stages.void(tables(stage, 1)[0], story.by, "A cable was loose.", hold=True)
    other = Story("Replayed", 4, "barracuda", options=SHORT)
    cup = other.stage("Cup", options=TWOS)
    play_on(cup, by_seed)
    freeze(other)
    apply(other, cup, tables(cup, 1))
    play_on(cup, by_seed)
    assert fresh(cup).state == State.DONE


def frozen_and_led() -> None:
    """Since the freeze the organisers paused a stage, published one and took another back, a team withdrew and one came
    back."""
    story = Story("Halted", 5, "barracuda", options=SHORT)
    stages.disqualify(story.teams[4], story.by, "Came late.")
    stage = story.stage("League", "round_robin", options={"games": 1})
    play_on(stage, by_seed, most=3)
    back = story.stage("Taken back", start=False, options=TWOS)
    stages.publish(back, story.by)
    to_come = story.stage("To come", start=False, options=TWOS)
    freeze(story)
    play_on(stage, by_seed, most=1)
    stages.pause(fresh(stage), story.by, "Lunch.")
    stages.unpublish(back, story.by)
    stages.publish(to_come, story.by)
    stages.reinstate(story.teams[4], story.by, "The bus was late.")
    stages.withdraw(story.teams[0], story.by, "Too hungry.")


def planned_and_lifted() -> None:
    story = Story("Planned", 4, "barracuda", options=SHORT)
    stage = story.stage("Cup", options=TWOS)
    play_on(stage, by_seed, most=1)
    releases.freeze(story.reread(), story.by, FOREVER)
    play_on(stage, by_seed)
    stages.void(tables(stage, 1)[0], story.by, "A cable was loose.")
    lifted = Story("Lifted", 4, "barracuda", options=SHORT)
    cup = lifted.stage("Cup", options=TWOS)
    play_on(cup, by_seed, most=1)
    freeze(lifted)
    stages.void(tables(cup, 1)[0], lifted.by, "A cable was loose.")
    play_on(cup, weaker_wins)
    releases.lift(lifted.reread(), lifted.by)
    lifted.reread()
    stages.void(tables(cup, 1)[1], lifted.by, "Another cable was loose.")
    play_on(cup, by_seed)
    apply(lifted, cup, tables(cup, 2))


def by_rounds() -> None:
    """A bracket of which the first round is shown, a Swiss of which one was taken back, one that is shown whole, and a
    final that follows from what is hidden."""
    story = Story("Rounds", 8, "barracuda", options=SHORT)
    cup = story.stage("Cup", options=TWOS, release=ROUNDS)
    play_on(cup, by_seed)
    releases.release(cup, story.by, 1)
    swiss = story.stage("Swiss", "swiss", options={**TWOS, "rounds": 3}, release=ROUNDS)
    play_on(swiss, round=1)
    releases.release(swiss, story.by, 1)
    play_on(swiss, round=2)
    stages.void(tables(swiss, 2)[1], story.by, "A cable was loose.")
    play_on(swiss, round=2)
    releases.release(swiss, story.by, 2)
    releases.take_back(swiss, story.by, 2)
    play_on(swiss, most=2)
    led = story.stage("Final", start=False, options=TWOS, entry=Entry.BEST, source=cup, best=4, seeding=Seeding.SOURCE)
    play_on(story.start(led), by_seed, most=1)
    other = Story("Released", 4, "barracuda", options=SHORT)
    shown = other.stage("Cup", options=TWOS, release=ROUNDS)
    play_on(shown, by_seed)
    releases.release(shown, other.by, 1)
    releases.release_all(shown, other.by)
    half = other.stage("Swiss", "swiss", options={**TWOS, "rounds": 2}, release=ROUNDS)
    play_on(half, by_seed, round=1)
    releases.release(half, other.by, 1)
    freeze(other)
    play_on(half, by_seed)
    releases.release(half, other.by, 2)


def judged(story: Story, stage: Stage, runs: tuple[tuple[int, str], ...]) -> None:
    for at, how in runs:
        CLOCK.go_on(timedelta(minutes=7))
        story.send(story.teams[at])
        for other in story.contest.stages.filter(state=State.RUNNING):
            schedule.reconcile(other)
        while match := waiting(stage):
            finish(match, wrong=how)


def problem(story: Story, name: str) -> Stage:
    hidden = "13 424242\n9 191919\n13 987654\n"
    return story.stage(name, "judged_set", options={"hidden": hidden, "draw": 1, "draw_seed": 11})


def judged_problems() -> None:
    """Two problems that are open, with a run that was void, reviews applied and dropped, and a team disqualified; one
    that was over; and one in a freeze."""
    story = Story("Problems", 3, "even_steven", bots=0, upload_deadline=FOREVER, entry_deadline=FOREVER)
    first = problem(story, "Problem A")
    judged(story, first, ((0, "wrong"), (1, ""), (0, ""), (2, "wrong")))
    second = problem(story, "Problem B")
    schedule.reconcile(second)
    play_on(second)
    stages.void(first.matches.done().order_by("pk")[0], story.by, "The judge was wrong.")
    play_on(first)
    chosen = first.matches.done().order_by("pk")[1]
    review = reviews.start(first, story.by, "It was late.", [chosen.pk])
    finish(review.matches.get(), wrong="wrong")
    reviews.apply(review, story.by)
    dropped = reviews.start(second, story.by, "It was late.", [second.matches.done().order_by("pk")[0].pk])
    finish(dropped.matches.get())
    reviews.drop(dropped, story.by)
    stages.disqualify(story.teams[2], story.by, "Looked at the hidden games.")
    over = Story("Judged", 2, "even_steven", bots=0, upload_deadline=FOREVER)
    solved = problem(over, "Problem A")
    judged(over, solved, ((0, "late"), (1, "")))
    contests.end(over.contest, over.by, "Time is up.")
    cold = Story("Cold", 3, "even_steven", bots=0, upload_deadline=FOREVER)
    problem_ = problem(cold, "Problem A")
    judged(cold, problem_, ((0, "wrong"), (1, "")))
    freeze(cold)
    judged(cold, problem_, ((0, ""), (2, "")))
    stages.void(problem_.matches.done().order_by("pk")[0], cold.by, "The judge was wrong.")
    play_on(problem_)


def private() -> None:
    """A contest that strangers must not find, in which the referee disqualified the winner of a table."""
    story = Story("Private", 4, options=SHORT, visibility=Contest.Visibility.PRIVATE)
    stage = story.stage("Cup", options=TWOS)
    first = tables(stage, 1)[0]
    finish(first, faulty=faults(first, [0]))
    play_on(stage)


STORIES: tuple[Callable[[], None], ...] = (
    frozen_bracket,
    frozen_swiss,
    frozen_and_over,
    frozen_and_led,
    planned_and_lifted,
    by_rounds,
    judged_problems,
    private,
)
