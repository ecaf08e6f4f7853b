"""The check of a version that was built: a full game in every seat against house bots, with the contest's own limits.

Where a bot's process lasts for a whole match it plays two games from every seat. Where entries are judged game by game,
it plays the games that everybody may know. A version passes when its bot makes no fault in any of them, save those
that the game forgives: of these its team is warned. A bot that never decides anything by itself does not pass. The
games are a function of the team, the version and the seat, so a check that has to be repeated plays the same deals.

Bots may think long, and one game of a bot that uses all the time it is allowed lasts for hours. A check must not: after
ENOUGH seconds the running game is cut, as soon as the bot has given ENOUGH_ANSWERS in its check. What it did until then
decides, and the version says in words that its check was cut.
"""

from __future__ import annotations

import json
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
from games.players import PROTOCOLS, Decision, HousePlayer, Participant, Seated
from games.programs import Program
from submissions import skill, trials, verdict
from submissions.models import CheckGame, Submission, pack

ENOUGH = 15 * 60.0  # seconds
ENOUGH_ANSWERS = 50


@dataclass
class Check:
    """What came of a check: its complete games, and in a sentence what was left out."""

    games: list[CheckGame] = field(default_factory=list)
    note: str = ""
    verdict: str = ""  # why it was not passed; blank when it was
    warning: str = ""  # what was let pass although it was wrong
    own_name: str = ""  # what the bot calls itself, where its game asks
    findings: list[trials.Finding] = field(default_factory=list)
    skill: str = ""  # the class of house player that it outscored


class TimeIsUp(Exception):
    """The check has lasted long enough."""


class Watched:
    """The bot's own participant, and an eye on it: a game that is cut leaves no record."""

    def __init__(self, player: Participant, before_answer: Callable[[], None]) -> None:
        self._player = player
        self._before_answer = before_answer
        self.faults: list[Event] = []
        self.rounds = 0

    def __getattr__(self, name: str) -> Any:
        """Whatever else a participant does is the player's own."""
        return getattr(self._player, name)

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        self.seat = seat
        self._player.begin(game, seat, options, random, setting)

    def tell(self, event: Event) -> None:
        if event["event"] == "fault" and event["seat"] == self.seat:
            self.faults.append(event)
        self.rounds += event["event"] == "hand"
        self._player.tell(event)

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decision:
        self._before_answer()
        return self._player.decide(legal, place)


def play(
    submission: Submission, program: Program, *, keep: Callable[[CheckGame], None], checkpoint: Callable[[], None]
) -> Check:
    """Play the games of the check. `keep` gets each one as soon as it is played; `checkpoint` is called at every
    decision and may raise to stop. MachineryError is never a fault of the bot.
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
    for seat in range(planned(game)):
        watched = Watched(bot(program, startup=submission.contest.startup_seconds), before_answer)
        try:
            check.games.append(_play_game(submission, cast(Participant, watched), seat, checkpoint))
        except TimeIsUp:
            check.note = _cut(game, seat, watched.rounds, answers)
            if fault := next((it for it in watched.faults if it["kind"] not in game.forgives), None):
                check.verdict = f"Your bot {fault['detail']}. {FAULTS[FaultKind(fault['kind'])][1]}"
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
    check.skill = skill.skill_of(game, ((played.record_data(), played.seat) for played in check.games))
    return check


def _cut(game: Game, seat: int, rounds: int, answers: int) -> str:
    """What was left out of the check, for the bot's team."""
    where = f"game {seat + 1} of {planned(game)} (as {game.seat_names[seat].capitalize()})"
    where += f", in {game.hand_word} {rounds}" if game.hand_word else ""
    return (
        f"The check was cut after {ENOUGH / 60:.0f} minutes, during {where}: the bot thinks long, which the rules "
        f"allow. It had given {answers} answers in all; what followed was not played."
    )


def planned(game: Game) -> int:
    """How many matches against house bots a check has: one from every seat."""
    return 1 if game.sample else game.seats[1]


def seed_of(submission: Submission, seat: int) -> int:
    return zlib.crc32(f"{submission.team_id}/{submission.number}/{seat}".encode()) & 0x7FFF_FFFF


def opponents(submission: Submission, seat: int) -> list[House]:
    """House bots for the other seats: other ones, and of all strengths, as the seat goes round."""
    house = submission.contest.game.house
    return [house[(seat + step) % len(house)] for step in range(submission.contest.game.seats[1] - 1)]


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
    result = match.record["result"]
    return CheckGame(
        submission=submission,
        number=seat + 1,
        seat=seat,
        opponents=[it.name.replace("_", " ") for it in house],
        seed=seed,
        score=result["scores"][seat],
        place=result["places"][seat],
        record=pack(records.dumps(match.record)),
        stderr=pack(json.dumps([[piece.index, piece.text] for piece in match.debug[seat]])),
        **verdict.story(submission, seat, match),
    )


@dataclass(frozen=True)
class Said:
    """Something that a bot wrote to standard error, and where: the number of the game, the position, in words."""

    game: int
    ply: int
    where: str
    text: str


def pieces(game: CheckGame) -> list[Said]:
    """All that the bot wrote to standard error during one match of its check, in order."""
    record = game.record_data()
    found = []
    start = 0  # of the game, among the events of the record
    waiting = list(game.stderr_pieces())
    numbers = range(1, records.games_played(record) + 1)
    for number in numbers:
        replay = Replay(record, number, "table", "")
        end = start + replay.last
        is_last = number == numbers[-1]
        while waiting and (is_last or waiting[0][0] <= end):  # what came after the end stands at the end
            place, text = waiting.pop(0)
            ply = min(max(place - start, 0), replay.last)
            found.append(Said(number, ply, replay.where(ply), text))
        start = end + 1
    return found
