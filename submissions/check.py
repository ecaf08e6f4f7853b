"""The check of a version that was built: a full game in every seat against house bots, with the contest's own limits.

A version passes when its bot makes no fault in any of them. The games are a function of the team, the version and the
seat, so a check that has to be repeated plays the same deals.

Bots may think long, and one game of a bot that uses all the time it is allowed lasts for hours. A check must not: after
ENOUGH seconds the running game is cut, as soon as the bot has given ENOUGH_ANSWERS in its check. What it did until then
decides, and the version says in words that its check was cut.
"""

from __future__ import annotations

import json
import re
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, cast

from contest.replay import FAULTS, Replay
from contest.words import printable
from games import record as records
from games import referee
from games.debug import Piece
from games.engine import Action, Event, FaultKind, Game, House, Options, Seat, Setting
from games.format import DECISIONS
from games.players import PROTOCOLS, Decision, HousePlayer, Participant, Seated
from games.programs import Program
from submissions import skill
from submissions.models import CheckGame, Submission, pack

ENOUGH = 15 * 60.0  # seconds
ENOUGH_ANSWERS = 50

# What the numbers of the commonest signals mean to somebody who meets them for the first time.
SIGNALS = {
    4: "an illegal instruction",
    6: "abort(): a failed assertion, an uncaught exception, or memory that was damaged",
    8: "a division by zero, or another impossible calculation",
    11: "a memory violation: usually an index out of range or a bad pointer",
}


@dataclass
class Check:
    """What came of a check: its complete games, and in a sentence what was left out."""

    games: list[CheckGame] = field(default_factory=list)
    note: str = ""
    verdict: str = ""  # why it was not passed; blank when it was
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
    for seat in range(game.seats[1]):
        watched = Watched(bot(program, startup=submission.contest.startup_seconds), before_answer)
        try:
            check.games.append(_play_game(submission, cast(Participant, watched), seat, checkpoint))
        except TimeIsUp:
            check.note = _cut(game, seat, watched.rounds, answers)
            if watched.faults:  # of a kind that costs points and does not end the bot's game
                fault = watched.faults[0]
                check.verdict = f"Your bot {fault['detail']}. {FAULTS[FaultKind(fault['kind'])][1]}"
            break
        keep(check.games[-1])
    check.verdict = verdict(check.games, game.seat_names) or check.verdict
    check.skill = skill.skill_of(game, ((played.record_data(), played.seat) for played in check.games))
    return check


def _cut(game: Game, seat: int, rounds: int, answers: int) -> str:
    """What was left out of the check, for the bot's team."""
    where = f"game {seat + 1} of {game.seats[1]} (as {game.seat_names[seat].capitalize()}), in round {rounds}"
    return (
        f"The check was cut after {ENOUGH / 60:.0f} minutes, during {where}: the bot thinks long, which the rules "
        f"allow. It had given {answers} answers in all; what followed was not played."
    )


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
        on_progress=lambda decisions: checkpoint(),
    )
    result = match.record["result"]
    return CheckGame(
        submission=submission,
        number=seat + 1,
        seat=seat,
        passed=not match.faults[seat],
        opponents=[it.name.replace("_", " ") for it in house],
        seed=seed,
        score=result["scores"][seat],
        place=result["places"][seat],
        record=pack(records.dumps(match.record)),
        stderr=pack(json.dumps([[piece.index, piece.text] for piece in match.debug[seat]])),
        **_story(submission, seat, match),
    )


def _story(submission: Submission, seat: int, match: referee.Match) -> dict[str, object]:
    """The columns about the bot's times and its first fault: what, where, in words for people."""
    events, faults = match.record["events"], match.faults[seat]
    times = [it["ms"] for it in events if it["event"] in DECISIONS and it["seat"] == seat and "ms" in it]
    if not faults:
        return {"slowest_ms": max(times, default=None)}
    fault = faults[0]
    ply = events.index(fault)
    replay = Replay(match.record, 1, "table", "")
    late = fault["kind"] == FaultKind.TIMEOUT
    said = sentence(fault, match.debug[seat], replay.asked[ply].allowance, submission.contest.memory_mb)
    return {
        "slowest_ms": replay.asked[ply].limit_ms if late else max(times, default=None),
        "fault_kind": fault["kind"],
        "fault_detail": printable(said),
        "fault_ply": ply,
        "fault_place": _lower(replay.where(ply)),
    }


def sentence(fault: Event, debug: list[Piece], allowed: str, memory_mb: int) -> str:
    """What the bot did, without a full stop: "Your bot played d5, which it does not hold". `allowed` says how long it
    had for the answer that was due."""
    kind, detail = fault["kind"], fault["detail"]
    if kind == FaultKind.VIOLATION:
        return f"Your bot made a forbidden system call: {detail}"
    if kind == FaultKind.TIMEOUT:
        detail += f": it was allowed {allowed} and used them up"
    elif kind == FaultKind.MEMORY:
        detail += f" of {memory_mb} MB"
    elif found := re.search(r"signal (\d+)", detail):
        meaning = SIGNALS.get(int(found[1]))
        detail += f" ({meaning})" if meaning else ""
    said = f"Your bot {detail}"
    if kind != FaultKind.CRASH and fault.get("answer") and fault["answer"] not in detail:
        said += f"; it wrote “{fault['answer']}”"
    if kind == FaultKind.CRASH and (last := _last_line(debug)):
        said += f"; the last line of its standard error is “{last}”"
    return said


def _last_line(debug: list[Piece]) -> str:
    lines = "".join(piece.text for piece in debug).strip().splitlines()
    return lines[-1].strip()[:200] if lines else ""


def verdict(games: list[CheckGame], seat_names: tuple[str, ...]) -> str:
    """Why a check was not passed, in one sentence and the rule behind it; blank when it was."""
    failed = [game for game in games if not game.passed]
    if not failed:
        return ""
    first = failed[0]
    _, rule = FAULTS[FaultKind(first.fault_kind)]
    where = f"{first.fault_place} of check game {first.number} as {seat_names[first.seat].capitalize()}"
    more = f" Faults came in {len(failed)} of {len(games)} games." if len(failed) > 1 else ""
    return f"{first.fault_detail} ({where}). {rule}{more}"


@dataclass(frozen=True)
class Said:
    """Something that a bot wrote to standard error, and where in the game."""

    ply: int
    where: str
    text: str


def pieces(game: CheckGame) -> list[Said]:
    """All that the bot wrote to standard error during one game of its check, in order."""
    replay = Replay(game.record_data(), 1, "table", "")
    found = []
    for place, text in game.stderr_pieces():
        ply = min(place, replay.last)  # what came after the end stands at the end
        found.append(Said(ply, replay.where(ply), text))
    return found


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
