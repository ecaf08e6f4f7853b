"""How far a stage has come, and how long the rest will take with the present workers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from math import ceil

from contest.formatting import duration
from tournaments.models import Match, Stage
from tournaments.organising import workload
from tournaments.organising.workload import SAMPLE, took


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of the matches known so far."""

    matches: int
    done: int
    running: int
    games: int
    games_done: int
    workers: int
    left: timedelta | None  # None: nothing has been played yet, or no worker runs
    is_guess: bool = False  # `games` is an estimate

    @property
    def about(self) -> str:
        """What is left, in words."""
        if self.left is None:
            return ""
        words = duration(self.left)
        return words if words.startswith("less") else f"about {words}"

    @property
    def is_over(self) -> bool:
        return self.done == self.matches


def progress_of(stage: Stage, matches: Collection[Match], wanted: int) -> Progress:
    """`wanted`: the number of matches known to be needed, including those not created yet."""
    done = [match for match in matches if match.status == Match.State.DONE]
    running = sum(match.status == Match.State.RUNNING for match in matches)
    total = max(wanted, len(matches))
    games_done = sum(match.games for match in done)
    each = games_done / len(done) if done else float(stage.options.get("games") or 1)
    at_once = max(workload.processes(), running)
    ended = sorted((match for match in done if match.finished_at), key=lambda it: it.finished_at or it.created_at)
    usual = took((match.started_at, match.finished_at, match.games) for match in ended[-SAMPLE:]).a_match
    left = None
    if usual is not None and at_once and stage.state == Stage.State.RUNNING:
        left = usual * ceil((total - len(done)) / at_once)
    wanted_games = games_done + round(each * (total - len(done)))
    is_guess = stage.options.get("games") is None
    return Progress(total, len(done), running, wanted_games, games_done, at_once, left, is_guess)
