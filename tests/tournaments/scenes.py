"""Contests with teams, brackets and played matches, made by the real actions; only the bots are the house's.

The worker's own functions claim, referee and finish matches, but without the sandbox: the teams' bots are house
players under the teams' names (records.py), so a bracket of many tables plays in a second.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone

import games
from contest.models import Contest, Team, User
from games import referee
from games.players import Seated
from submissions.models import Submission
from tests.cast import make_contest
from tests.tournaments.records import Scripted
from tournaments import formats
from tournaments.kinds import following
from tournaments.models import Match, MatchSeat, Stage, Table
from tournaments.organising import stages
from tournaments.playing import play

Bots = Callable[[MatchSeat], Scripted]


def small_contest(owner: User | None = None, name: str = "", *, target: int = 25, **fields: object) -> Contest:
    """A contest whose games are over after one round."""
    return make_contest(owner, name, options={"target": target}, **fields)


def enter(contest: Contest, count: int, names: tuple[str, ...] = ()) -> list[Team]:
    """Teams with a seed number and an active version each."""
    wanted = [*names, *(f"Team {number:03}" for number in range(len(names) + 1, count + 1))][:count]
    teams = Team.objects.bulk_create(
        Team(contest=contest, name=name, school=f"School of {name}", seed=seed) for seed, name in enumerate(wanted, 1)
    )
    arm(*teams)
    return teams


def stage_of(
    contest: Contest,
    name: str = "Play-offs",
    format: str = "single_elimination",
    *,
    started: bool = True,
    **options: object,
) -> Stage:
    stage = stages.create(contest, None, stages.Wish(name, format, options=options))
    Stage.objects.filter(pk=stage.pk).update(seed=17)  # the same deals in every run, and so the same ties
    stages.publish(stage, None)
    if started:
        stages.start(stage, None)
    stage.refresh_from_db()
    return stage


def play_match(match: Match, bots: Bots = lambda seat: Scripted(), *, reconcile: bool = True) -> Match:
    claimed = play.claim(match.pk, "test")
    assert claimed is not None, f"{match} cannot be claimed"
    game = games.get(claimed.contest.game_slug)
    seats = [
        Seated(seat.name, seat.submission.filename if seat.submission else f"house:{seat.house}", bots(seat))
        for seat in play.seats_of(claimed)
    ]
    played = referee.play(
        game, seats, seed=claimed.seed, options=claimed.options, preset=claimed.contest.preset,
        games=claimed.stage.options.get("games"),
    )  # fmt: skip
    play.finish(claimed, played)
    if reconcile:
        following.reconcile(claimed.stage)
    return claimed


def play_all(stage: Stage, bots: Bots = lambda seat: Scripted()) -> Stage:
    while match := stage.matches.filter(state=Match.State.QUEUED).order_by("priority", "id").first():
        play_match(match, bots)
    stage.refresh_from_db()
    return stage


def arm(*teams: Team) -> None:
    """Give teams an active version each."""
    Submission.objects.bulk_create(
        Submission(
            team=team, number=1, language="cpp", filename=f"{team.name.lower()}.cpp", source=b"int main() {}", size=13,
            sha256="0" * 64, state=Submission.State.READY, is_active=True,
        )
        for team in teams
    )  # fmt: skip


def many(contest: Contest, teams: int, matches: int) -> Stage:
    """A running bracket of this many teams, and a ladder with this many played matches, written in bulk."""
    entered = enter(contest, teams)
    stage = stage_of(contest)
    options = formats.get("ladder").options({}, contest.game)
    state = Stage.State.DONE
    ladder = Stage.objects.create(contest=contest, name="Ladder", format="ladder", options=options, state=state, seed=1)
    table = Table.objects.create(stage=ladder, round=1, number=1, name="Ladder", decided=True)
    now = timezone.now()
    versions = dict(Submission.objects.active().filter(team__in=entered).values_list("team", "pk"))
    made = Match.objects.bulk_create(
        Match(
            contest=contest, stage=ladder, table=table, number=number, seed=number, state="done", games=1,
            finished_at=now - timedelta(seconds=matches - number), counts_from=1, resulted=1000 + number,
        )
        for number in range(matches)
    )  # fmt: skip
    MatchSeat.objects.bulk_create(
        MatchSeat(
            match=match, index=index, team=team, submission_id=versions[team.pk], score=100 + number % 10 + index,
            place=4 - index, faults=number % 7 == 0,
        )
        for number, match in enumerate(made)
        for index in range(4)
        for team in [entered[(number + index * (1 + number // teams)) % teams]]
    )  # fmt: skip
    return stage
