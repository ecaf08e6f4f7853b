"""A judged problem with teams. House players play its runs, either correctly or always with the highest card."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

from django.utils import timezone

from contest.models import Contest, Team
from games import referee
from games.debug import DebugLog
from games.engine import Game, Options, Seat, Setting
from games.players import Decision, HousePlayer, Seated
from submissions.models import Submission
from tests.cast import make_contest, make_team, make_user
from tests.tournaments.stagecraft import give_bot
from tournaments.kinds import following, judged
from tournaments.kinds.judged import JudgedTeam
from tournaments.models import Match, Stage
from tournaments.organising import stages
from tournaments.playing import play
from tournaments.results.visibility import everything

HIDDEN = "13 424242\n9 191919\n13 987654\n"
SECRETS = ("424242", "191919", "987654")


class Talking(HousePlayer):
    """Writes what it does to standard error, as students' bots do. A wrong one always plays its highest card. A late
    one does so only in the hidden games."""

    def __init__(self, name: str, contest: Contest) -> None:
        super().__init__(contest.game.house[-1])
        self.debug = DebugLog(10_000)
        self.name = name

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        super().begin(game, seat, options, random, setting)
        self.is_wrong = self.name == "wrong" or (self.name == "late" and setting.number > len(game.sample))

    def decide(self, legal: Any, place: int) -> Any:
        action, _, cpu_ms, answer, _ = super().decide(legal, place)
        if self.is_wrong:
            action = max(legal())
        self.debug.add(place, f"hand {action}\n".encode())
        return Decision(action, 0.25, cpu_ms, answer)  # the same in every run


class Courtroom:
    """A contest with a judged problem and teams without bots. `judge` plays waiting runs, correctly by default."""

    def __init__(self, teams: int = 3) -> None:
        self.ada = make_user()
        self.contest = make_contest(self.ada, game="even_steven", preset="open")
        self.teams = [make_team(self.contest, name=f"Team {number}") for number in range(teams)]
        wish = stages.Wish("Problem A", "judged_set", {"hidden": HIDDEN, "draw": 2, "draw_seed": 11})
        self.stage = stages.create(self.contest, self.ada, wish)

    def start(self) -> Courtroom:
        stages.start(self.stage, self.ada)
        self.stage.refresh_from_db()
        return self

    def send(self, team: Team, minutes: int = 0) -> Submission:
        number = team.submissions.count() + 1
        version = give_bot(team, number=number)
        at = self.contest.opens_at + timedelta(minutes=minutes, seconds=30)
        Submission.objects.filter(pk=version.pk).update(uploaded_at=at)
        following.reconcile(self.stage)
        return version

    def judge(self, how: str = "right") -> Match:
        match = Match.objects.claimable(timezone.now()).filter(stage=self.stage).earliest("pk")
        claimed = play.claim(match.pk, "tester")
        assert claimed is not None
        (seat,) = play.seats_of(claimed)
        played = referee.play(
            self.contest.game,
            [Seated(seat.name, "bot.py", Talking(how, self.contest))],
            seed=claimed.seed,
            options=claimed.options,
            preset=self.contest.preset,
            openings=claimed.openings,
        )
        play.finish(claimed, played)
        following.reconcile(claimed.stage)
        match.refresh_from_db()
        return match

    def rows(self) -> dict[str, JudgedTeam]:
        return {
            row.team.name: row for row in judged.ranking(Stage.objects.get(pk=self.stage.pk), everything(self.contest))
        }
