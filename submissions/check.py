"""Check a version that was built: it plays a full game in every seat against house players, with the contest's limits.

A bot whose process lasts for a whole match plays two games from every seat. If a contest judges bots game by game,
the check uses the published games. A version passes unless the contest would disqualify its bot or judge it wrong, or
the bot tries something forbidden or never makes a decision of its own; of other faults the team is warned. The deals
depend only on team, version and seat, so a repeated check plays the same deals.

A bot that uses all of its thinking time could play one game for hours. After ENOUGH seconds, and once the bot has given
ENOUGH_ANSWERS, the check stops. The bot's play until then decides, and the version's page says that its check was cut.
"""

from __future__ import annotations

import json
import math
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, cast

from contest.replay import FAULTS, Replay
from games import record as records
from games import referee
from games.engine import Action, Event, FaultKind, Game, House, Options, Seat, Setting
from games.format import counted_places
from games.participants import Decided
from games.players import PROTOCOLS, HousePlayer, Participant, Seated
from games.programs import Program
from submissions import trials, verdict
from submissions.models import CheckGame, Submission, pack

ENOUGH = 15 * 60.0  # seconds
ENOUGH_ANSWERS = 50


@dataclass
class Check:
    """The result of a check: its complete games and what it found."""

    games: list[CheckGame] = field(default_factory=list)
    note: str = ""  # what the check left out
    verdict: str = ""  # why it failed; blank if it passed
    warning: str = ""  # faults that were forgiven
    own_name: str = ""  # the bot's name for itself, if its game asks
    findings: list[trials.Finding] = field(default_factory=list)


class TimeIsUp(Exception):
    """The check has taken too long."""


class Watched:
    """A participant that also counts faults and rounds, because a game that is cut leaves no record."""

    def __init__(self, player: Participant, before_answer: Callable[[], None]) -> None:
        self._player = player
        self._before_answer = before_answer
        self.faults: list[Event] = []
        self.rounds = 0

    def __getattr__(self, name: str) -> Any:
        """Delegate everything else to the player."""
        return getattr(self._player, name)

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        self.seat = seat
        self._player.begin(game, seat, options, random, setting)

    def tell(self, event: Event) -> None:
        if event["event"] == "fault" and event["seat"] == self.seat:
            self.faults.append(event)
        self.rounds += event["event"] == "hand"
        self._player.tell(event)

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decided:
        self._before_answer()
        return self._player.decide(legal, place)


def play(
    submission: Submission, program: Program, *, keep: Callable[[CheckGame], None], checkpoint: Callable[[], None]
) -> Check:
    """Play the games of the check.

    `keep` gets each game as soon as it is played. `checkpoint` is called at every decision and may raise to stop.
    Raises MachineryError for failures that are not the bot's.
    """
    check = Check()
    game, limit = submission.contest.game, time.monotonic() + ENOUGH
    answers = 0

    def before_answer() -> None:
        nonlocal answers
        if answers >= ENOUGH_ANSWERS and time.monotonic() > limit:
            raise TimeIsUp
        answers += 1

    bot = PROTOCOLS[game.protocol]
    kept = {played.number: played for played in submission.check_games.all()}  # of earlier turns
    for seat in range(planned(game)):
        if (before := kept.get(seat + 1)) is not None:
            check.games.append(before)
            continue
        watched = Watched(bot(program, startup=submission.contest.startup_seconds), before_answer)
        try:
            check.games.append(_play_game(submission, cast(Participant, watched), seat, checkpoint))
        except TimeIsUp:
            check.note = _cut(game, seat, watched.rounds, answers)
            if fault := next((it for it in watched.faults if it["kind"] == FaultKind.VIOLATION or game.sample), None):
                check.verdict = f"Your bot {fault['detail']}. {FAULTS[FaultKind(fault['kind'])][1]}"
            elif watched.faults:
                check.note += f" Until then it made faults; at the first, it {watched.faults[0]['detail']}."
            break
        keep(check.games[-1])
        if game.introduction is not None:
            check.own_name = check.games[-1].record_data()["seats"][seat]["name"]
    if tested := trials.unit_tests(
        game, program, submission.contest.full_options(), submission.contest.startup_seconds
    ):
        check.findings.append(tested)
    check.verdict = verdict.verdict(check.games, game.seat_names) or check.verdict
    check.warning = verdict.warning(check.games, game.seat_names)
    return check


def _cut(game: Game, seat: int, rounds: int, answers: int) -> str:
    """What the check left out, for the bot's team."""
    where = f"game {seat + 1} of {planned(game)} (as {game.seat_names[seat].capitalize()})"
    where += f", in {game.hand_word} {rounds}" if game.hand_word else ""
    return (
        f"The check was cut after {ENOUGH / 60:.0f} minutes and {answers} answers, during {where}. The bot thinks for "
        "a long time, which the rules allow. The rest was not played."
    )


def planned(game: Game) -> int:
    """How many matches a check has: one from every seat."""
    return 1 if game.sample else game.seats[1]


def seed_of(submission: Submission, seat: int) -> int:
    return zlib.crc32(f"{submission.team_id}/{submission.number}/{seat}".encode()) & 0x7FFF_FFFF


def opponents(submission: Submission, seat: int) -> list[House]:
    """House players for the other seats. They move on with the seat, so that at a table for four the bot meets all."""
    house = submission.contest.game.house
    others = submission.contest.game.seats[1] - 1
    stride = min(others, max(1, math.ceil((len(house) - others) / max(1, others))))
    return [house[(seat * stride + step) % len(house)] for step in range(others)]


def _play_game(submission: Submission, bot: Participant, seat: int, checkpoint: Callable[[], None]) -> CheckGame:
    contest = submission.contest
    house = opponents(submission, seat)
    seats = [Seated(f"House: {it.name.replace('_', ' ')}", f"house:{it.name}", HousePlayer(it)) for it in house]
    seats.insert(seat, Seated(submission.team.name, submission.filename, bot))
    seed = seed_of(submission, seat)
    match = referee.play(
        contest.game,
        seats,
        seed=seed,
        options=contest.full_options(),
        preset=contest.preset,
        games=None if contest.game.sample else 2 if contest.game.lasting else 1,
        openings=contest.game.sample or None,
        on_progress=lambda decisions: checkpoint(),
    )
    return CheckGame(
        submission=submission,
        number=seat + 1,
        seat=seat,
        opponents=[it.name.replace("_", " ") for it in house],
        seed=seed,
        score=match.record["result"]["scores"][seat],
        place=counted_places(contest.game, match.record)[seat],
        record=pack(records.dumps(match.record)),
        stderr=pack(json.dumps([[piece.index, piece.text] for piece in match.debug[seat]])),
        **verdict.check_columns(submission, seat, match),
    )


@dataclass(frozen=True)
class Said:
    """Text from a bot's standard error, with its game, position and position in words."""

    game: int
    ply: int
    where: str
    text: str


def pieces(game: CheckGame) -> list[Said]:
    """The bot's standard error during one match of its check, in order."""
    record = game.record_data()
    found = []
    start = 0  # of the game, among the events of the record
    waiting = list(game.stderr_pieces())
    numbers = range(1, records.games_played(record) + 1)
    for number in numbers:
        replay = Replay(record, number, "table", "")
        end = start + replay.last
        is_last = number == numbers[-1]
        while waiting and (is_last or waiting[0][0] <= end):  # text after the end belongs to the end
            place, text = waiting.pop(0)
            ply = min(max(place - start, 0), replay.last)
            found.append(Said(number, ply, replay.where(ply), text))
        start = end + 1
    return found
