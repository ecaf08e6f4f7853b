"""Contests in which matches became void, were played again, and teams left."""

from __future__ import annotations

from contest import contests, teams
from games.engine import FaultKind
from tests.upgrades.old.acting import (
    CLOCK,
    FOREVER,
    Story,
    all_level,
    by_seed,
    climb,
    faults,
    finish,
    fresh,
    met,
    play_on,
    tables,
    waiting,
    weaker_wins,
)
from tournaments import ladder, play, reviews, schedule, stages
from tournaments.models import Match, Stage

Entry, Seeding, State = Stage.Entry, Stage.Seeding, Stage.State
TWOS = {"table_size": 2, "games": 1}
FOURS = {"table_size": 4, "games": 1}
SHORT = {"target": 1}


def leavers_in_twos() -> None:
    """The referee disqualified losers, the organisers a winner; another loser withdrew and came back."""
    story = Story("Leavers", 8, options=SHORT)
    stage = story.stage("Cup", options={**TWOS, "third_place": True})
    one, other, third, last = tables(stage, 1)
    finish(one, by_seed)
    finish(other, faulty=faults(other, [1]))
    finish(third, faulty=faults(third, [0, 1], FaultKind.CRASH))
    finish(last, by_seed)
    winner, loser = met(one)
    stages.disqualify(winner, story.by, "Two programs of one author.")
    stages.withdraw(met(last)[1], story.by, "Had to catch a train.")
    assert loser in met(tables(stage, 2)[0])
    play_on(stage, by_seed, round=2)
    stages.reinstate(met(last)[1], story.by, "The train was late.")
    play_on(stage, by_seed, round=2)
    assert play_on(stage, by_seed).state == State.DONE
    stages.disqualify(loser, story.by, "The same author, too.")
    play_on(stage, by_seed)


def leavers_in_fours() -> None:
    """Two advance from a table; a team withdraws while others play, one without a bot was left out."""
    story = Story("Fours", 11, options=SHORT, bots=10)
    stage = story.stage("Cup", options={**FOURS, "advance": 2, "playoff_all": True})
    assert stage.left_out
    first = tables(stage, 1)[0]
    finish(first, faulty=faults(first, [0, 2]))
    play_on(stage, round=1)
    stages.withdraw(met(first)[0], story.by, "Enough.")
    stages.disqualify(met(tables(stage, 1)[1])[-1], story.by, "Shouted at the referee.")
    assert play_on(stage).state == State.DONE


def everybody_out() -> None:
    """The referee disqualifies both finalists: there is no winner."""
    story = Story("Nobody", 4, options=SHORT)
    stage = story.stage("Cup", options=TWOS)
    play_on(stage, by_seed, round=1)
    (final,) = tables(stage, 2)
    finish(final, faulty=faults(final, [0, 1]))
    assert fresh(stage).state == State.DONE


def series() -> None:
    """Best of three with a match for the third place, and ties that are played off."""
    story = Story("Series", 4, "barracuda", options=SHORT)
    stage = story.stage("Cup", options={**TWOS, "best_of": 3, "third_place": True})
    assert play_on(stage).state == State.DONE
    playoffs = story.stage("Play-offs", options={**TWOS, "games": 2}, seeding=Seeding.STANDINGS)
    finish(tables(playoffs, 1)[0], all_level)
    assert play_on(playoffs, by_seed).state == State.DONE
    assert playoffs.matches.filter(kind=Match.Kind.PLAYOFF).exists()


def shared_first() -> None:
    """Ties that stand: a round robin with shared first places."""
    story = Story("Ties", 4, "barracuda", options=SHORT)
    stage = story.stage("League", "round_robin", options={"games": 1, "home_and_away": True})
    for number in range(12):
        match = waiting(stage)
        assert match is not None
        finish(match, all_level if number % 3 == 0 else None)
    assert fresh(stage).state == State.DONE
    fours = Story("Shared", 5, "intensity")
    swiss = fours.stage("Swiss", "swiss", options={**FOURS, "rounds": 3})
    finish(tables(swiss, 1)[0], all_level)
    assert play_on(swiss).state == State.DONE


def void_in_a_bracket() -> None:
    """Void and played to the end again; and void with a pause, which still holds."""
    story = Story("Void", 8, "barracuda", options=SHORT)
    stage = story.stage("Cup", options=TWOS)
    assert play_on(stage, by_seed).state == State.DONE
    stages.void(tables(stage, 1)[1], story.by, "The lights went out.")
    assert play_on(stage, weaker_wins).state == State.DONE
    stages.void(tables(stage, 2)[0], story.by, "They went out again.", hold=True)
    stages.resume(fresh(stage), story.by, "They are on.")
    assert play_on(stage, by_seed).state == State.DONE
    held = Story("Held", 4, "barracuda", options=SHORT)
    cup = held.stage("Cup", options=TWOS)
    play_on(cup, by_seed)
    stages.void(tables(cup, 1)[0], held.by, "A cable was loose.", hold=True)
    assert fresh(cup).state == State.PAUSED


def void_in_a_swiss() -> None:
    """A match of the first round became void when the second was drawn, another one after the stage was over. One of
    the two stages is still open again."""
    for name, again in (("Swiss", True), ("Reopened", False)):
        story = Story(name, 6, "barracuda", options=SHORT)
        stage = story.stage("Swiss", "swiss", options={**TWOS, "rounds": 3})
        play_on(stage, round=1)
        stages.void(tables(stage, 1)[0], story.by, "It was the wrong program.")
        play_on(stage)
        assert fresh(stage).state == State.DONE
        stages.void(tables(stage, 1)[1], story.by, "It was the wrong program here, too.")
        assert fresh(stage).state == State.RUNNING
        if again:
            assert play_on(stage, weaker_wins).state == State.DONE


def a_ladder() -> None:
    """Versions that change, a team that withdraws, an early match that is void, reviews; then a bracket seeded by it.

    A league that started later is over last."""
    story = Story("Ladder", 6, "barracuda", options=SHORT)
    stage = story.stage("Ladder", "ladder", options={"table_size": 2, "games": 1, "pause": 0, "final_minutes": 0})

    def before(number: int) -> None:
        if number in (4, 9):
            story.send(story.teams[number % 5])
        if number == 12:
            stages.withdraw(story.teams[5], story.by, "No more time.")

    climb(stage, 8, before)
    stages.void(stage.matches.done().order_by("pk")[1], story.by, "The program was not theirs.")
    stage = climb(stage, 8, lambda number: before(number + 8))
    chosen = [match.pk for match in stage.matches.done().order_by("pk")[2:5]]
    review = reviews.start(stage, story.by, "The clock was wrong.", chosen, other_deals=True, newest=True)
    for match in review.matches.order_by("pk"):
        finish(match)
    reviews.apply(review, story.by)
    late = reviews.start(stage, story.by, "The clock was wrong again.", chosen[-1:] and [stage.matches.done()[5].pk])
    finish(late.matches.get())
    ladder.stop(fresh(stage), story.by)
    while match := waiting(stage):
        finish(match)
    schedule.reconcile(stage)
    assert fresh(stage).state == State.DONE
    final = story.stage(
        "Final", options=TWOS, entry=Entry.BEST, source=stage, best=4, seeding=Seeding.SOURCE, start=False
    )
    final = story.start(final)
    side = story.stage("Side league", "round_robin", options={"games": 1}, entry=Entry.INVITED,
                       invited=story.teams[2:5] and [team.pk for team in story.teams[2:5]])  # fmt: skip
    assert play_on(final, by_seed).state == State.DONE
    assert play_on(side, weaker_wins).state == State.DONE


def common_deals() -> None:
    """Duplicate deals; one table is played again on others, one match of another on the same."""
    story = Story("Deals", 4, "intensity")
    stage = story.stage("Swiss", "swiss", options={**FOURS, "rounds": 2, "duplicate": True})
    assert play_on(stage).state == State.DONE
    first = [match.pk for match in stage.matches.done().filter(table__round=1)]
    review = reviews.start(stage, story.by, "The cards were shown on a screen.", first, other_deals=True)
    for match in review.matches.order_by("pk"):
        finish(match)
    reviews.apply(review, story.by)
    stages.void(stage.matches.done().filter(table__round=2)[2], story.by, "A fan failed.")
    play_on(stage)
    hearts = Story("Sums", 4, "hearts", options=SHORT)
    sums = hearts.stage("All", "combinations", options={"duplicate": True})
    assert play_on(sums).state == State.DONE


def reviewed() -> None:
    """A review dropped, one applied of which a match fell away, and one open, half played, with a match in play."""
    story = Story("Reviews", 8, "barracuda", options=SHORT)
    stage = story.stage("League", "swiss", options={**TWOS, "rounds": 3})
    assert play_on(stage).state == State.DONE
    ids = [match.pk for match in stage.matches.done().order_by("pk")]
    dropped = reviews.start(stage, story.by, "A complaint.", ids[:2])
    finish(dropped.matches.order_by("pk")[0], weaker_wins)
    reviews.drop(dropped, story.by)
    applied = reviews.start(stage, story.by, "A better complaint.", ids[-3:])
    for match in applied.matches.order_by("pk"):
        finish(match, weaker_wins)
    stages.void(Match.objects.get(pk=ids[-1]), story.by, "It had crashed anyway.")
    play_on(stage)
    reviews.apply(applied, story.by)
    play_on(stage)
    valid = [match.pk for match in stage.matches.done().order_by("pk")]
    half = reviews.start(stage, story.by, "One more.", valid[-3:], newest=True, other_deals=True)
    finish(half.matches.order_by("pk")[0], by_seed)
    assert play.claim(half.matches.order_by("pk")[1].pk, "somebody else")


def every_state() -> None:
    """Drafts, published, refused, running with a match in play, paused, finished; an ended contest is apart."""
    story = Story("States", 6, "barracuda", options=SHORT, upload_deadline=FOREVER)
    done = story.stage("Done", options=TWOS)
    play_on(done, by_seed)
    running = story.stage("Running", "round_robin", options={"games": 1})
    play_on(running, most=4)
    match = waiting(running)
    assert match is not None
    assert play.claim(match.pk, "somebody else")
    failed = waiting(running)
    assert failed is not None
    claimed = play.claim(failed.pk, "somebody else")
    assert claimed is not None
    play.put_back(claimed, "The sandbox did not start.")
    paused = story.stage("Paused", "swiss", options={**TWOS, "rounds": 3})
    play_on(paused, most=4)
    stages.pause(paused, story.by, "Lunch.")
    story.stage("Draft", start=False, options=TWOS)
    hand = story.stage("By hand", start=False, options=TWOS, seeding=Seeding.HAND, order=story_ids(story)[::-1])
    stages.publish(hand, story.by)
    stages.publish(story.stage("Led", start=False, options=TWOS, entry=Entry.BEST, best=3, source=done), story.by)
    awaiting = {"entry": Entry.BEST, "best": 4, "source": paused, "starts_after": True, "seeding": Seeding.SOURCE}
    stages.publish(story.stage("Awaiting", start=False, options=TWOS, **awaiting), story.by)
    back = story.stage("Taken back", start=False, options=TWOS)
    stages.publish(back, story.by)
    stages.unpublish(back, story.by)
    few = story.stage("Too few", start=False, options=TWOS, starts_at=CLOCK(), seeding=Seeding.STANDINGS)
    stages.publish(few, story.by)
    stages.refuse_start(few, "Only one of the teams has a bot.")
    open_ladder = story.stage("Open play", "ladder", options={"table_size": 2, "games": 1}, ends_at=FOREVER)
    climb(open_ladder, 3)


def story_ids(story: Story) -> list[int]:
    return [team.pk for team in story.teams]


def ended() -> None:
    """The contest was ended while a stage was played; teams waited for approval, or were refused."""
    story = Story("Ended", 4, "barracuda", options=SHORT)
    stage = story.stage("Cup", options=TWOS)
    play_on(stage, most=1)
    contests.edit(story.contest, story.by, {"approval_required": True})
    story.reread()
    story.enter("Waiting")
    teams.refuse(story.enter("Refused"), story.by, "Came with somebody else's program.")
    contests.end(story.contest, story.by, "The building closes.")


STORIES = (
    leavers_in_twos,
    leavers_in_fours,
    everybody_out,
    series,
    shared_first,
    void_in_a_bracket,
    void_in_a_swiss,
    a_ladder,
    common_deals,
    reviewed,
    every_state,
    ended,
)
