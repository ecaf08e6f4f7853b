"""Stages with entrants for tests, and matches played through the real claim and the real writing of results.

`Hall` is a contest with teams whose versions were never built: house players play its matches in the teams' seats.
test_recovery.py has the tests that need real bots in the sandbox.
"""

from __future__ import annotations

from random import Random
from typing import Any

from django.db import transaction
from django.utils import timezone

from contest.ledger import hold
from contest.models import Contest, Team, User
from games import referee
from games.engine import Game
from games.players import HousePlayer, Seated
from submissions.models import Submission
from tests.cast import make_contest, make_team, make_teams, make_user
from tournaments import formats, kinds
from tournaments.kinds import following, schedule
from tournaments.models import Match, Stage
from tournaments.organising import stages
from tournaments.playing import play
from tournaments.results.standings import StageRow
from tournaments.results.visibility import everything


def ready(
    team: Team,
    *,
    active: bool = True,
    number: int = 1,
    source: bytes = b"pass\n",
    language: str = "python",
    filename: str = "bot.py",
) -> Submission:
    """A ready version that nobody has built, not saved."""
    return Submission(
        team=team,
        number=number,
        language=language,
        filename=filename,
        source=source,
        size=len(source),
        sha256="0" * 64,
        state=Submission.State.READY,
        is_active=active,
    )


def give_bot(team: Team, *, active: bool = True, **fields: Any) -> Submission:
    """A ready version that nobody has built. A worker builds it before playing it."""
    if active:
        team.submissions.update(is_active=False)
    version = ready(team, active=active, **fields)
    version.save()
    return version


class Hall:
    """A contest with its organiser and teams; short games."""

    def __init__(
        self,
        teams: int = 8,
        *,
        bots: bool = True,
        target: int | None = 10,
        source: bytes = b"pass\n",
        **fields: object,
    ) -> None:
        self.ada: User = make_user()
        """`target` points end a game; None for games without such an option."""
        fields = {"options": {} if target is None else {"target": target}, "preset": "open", **fields}
        self.contest: Contest = make_contest(self.ada, **fields)
        self.teams: list[Team] = make_teams(self.contest, teams)
        if bots:
            Submission.objects.bulk_create(ready(team, source=source) for team in self.teams)

    def enter_bots(self, source: bytes, language: str, filename: str) -> None:
        """The same program for everybody."""
        for team in self.teams:
            give_bot(team, source=source, language=language, filename=filename)

    @property
    def ids(self) -> list[int]:
        return [team.pk for team in self.teams]

    def stage(self, *, start: bool = True, publish: bool = False, **options: object) -> Stage:
        stage = stages.create(self.contest, self.ada, stages.Wish("Cup", options=options))
        Stage.objects.filter(pk=stage.pk).update(seed=17)  # the same deals in every run
        if start:
            stages.start(stage, self.ada)
        elif publish:
            stages.publish(stage, self.ada)
        stage.refresh_from_db()
        return stage


def refereed(claimed: Match) -> referee.Match:
    """The claimed match, played by weak house players in the teams' seats."""
    game = claimed.contest.game
    names = {house.name: house for house in game.house}
    players = [
        Seated(seat.name, f"house:{seat.house}", HousePlayer(names[seat.house or game.house[1].name]))
        for seat in play.seats_of(claimed)
    ]
    return referee.play(
        game,
        players,
        seed=claimed.seed,
        options=claimed.options,
        preset=claimed.contest.preset,
        games=claimed.stage.options.get("games"),
        openings=claimed.openings or None,
    )


def arranged(claimed: Match, places: dict[int, int], disqualified: frozenset[int] = frozenset()) -> referee.Match:
    """The claimed match, with chosen places for the teams (by id); the house shares the last place."""
    played = refereed(claimed)
    seats = play.seats_of(claimed)
    last = len(seats)
    result = played.record["result"]
    result["places"] = [places.get(seat.team_id or 0, last) for seat in seats]
    result["scores"] = [10 * (last - place) for place in result["places"]]
    result["disqualified"] = [seat.index for seat in seats if seat.team_id in disqualified]
    return played


def finish(match: Match, places: dict[int, int] | None = None, disqualified: frozenset[int] = frozenset()) -> Match:
    """Claim a queued match, play it and write the result."""
    claimed = play.claim(match.pk, "tester")
    assert claimed is not None, f"{match} cannot be claimed: {match.state}"
    played = refereed(claimed) if places is None else arranged(claimed, places, disqualified)
    play.finish(claimed, played)
    following.follow_results([claimed])  # as the worker does
    match.refresh_from_db()
    return match


def void(match: Match, reason: str = "") -> None:
    """Void it, without any consequences."""
    with transaction.atomic():
        schedule.void(hold(match.contest_id), [(Match.objects.get(pk=match.pk), reason)], by=None)


def any_match(game: Game, games_: int = 2) -> Match:
    """A match of that game, played by house players in the seats of teams with long and short names."""
    contest = make_contest(game=game.slug, preset=game.presets[-1].name)
    names = ("Cardinal Sharks of the Eastern Division of Nowhere", "Aces", "Null & Void", "The Quick")
    for name in names[: game.seats[1]]:
        give_bot(make_team(contest, name=name))
    format = formats.fitting(game)[0]
    options = {"draw": games_, "draw_seed": 3} if format.kind == "judged" else {"games": games_}
    stage = stages.create(contest, None, stages.Wish("Cup", format.slug, options))
    Stage.objects.filter(pk=stage.pk).update(seed=17)
    stages.start(stage, None)
    match = Match.objects.claimable(timezone.now()).get(stage=stage)
    return finish(match)


def rows_of(stage: Stage) -> list[StageRow]:
    """The ranking of a stage with tables or of a ladder, for those who see everything."""
    return kinds.of(stage).rows(stage, everything(Contest.objects.get(pk=stage.contest_id)))


def by_strength(match: Match) -> dict[int, int]:
    """Places by seed number: the stronger seed is better."""
    teams = sorted((seat.team for seat in match.seats.all() if seat.team), key=lambda team: team.seed or 0)
    return {team.pk: place for place, team in enumerate(teams, start=1)}


def play_out(stage: Stage, random: Random | None = None, most: int = 1000) -> list[Match]:
    """Play until nothing is claimable: by strength, or with real (random) results if `random` is given."""
    played = []
    while match := Match.objects.claimable(timezone.now()).filter(stage=stage).first():
        assert len(played) < most
        played.append(finish(match, None if random else by_strength(match)))
    return played
