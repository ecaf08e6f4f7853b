"""The check of a version that was built: a full game in every seat against house bots, with the contest's own limits.

A version passes when its bot makes no fault in any of them. The games are a function of the team, the version and the
seat, so a check that has to be repeated plays the same deals.
"""

from __future__ import annotations

import json
import re
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from contest.replay import FAULTS, Replay
from games import record as records
from games import referee
from games.debug import Piece
from games.engine import Event, FaultKind, House
from games.format import DECISIONS
from games.players import PROTOCOLS, HousePlayer, Seated
from games.programs import Program
from submissions.models import CheckGame, Submission, pack

ENOUGH = 15 * 60.0  # seconds

# What the numbers of the commonest signals mean to somebody who meets them for the first time.
SIGNALS = {
    4: "an illegal instruction",
    6: "abort(): a failed assertion, an uncaught exception, or memory that was damaged",
    8: "a division by zero, or another impossible calculation",
    11: "a memory violation: usually an index out of range or a bad pointer",
}


def play(
    submission: Submission, program: Program, *, keep: Callable[[CheckGame], None], checkpoint: Callable[[], None]
) -> list[CheckGame]:
    """Play the games of the check. `keep` gets each one as soon as it is played; `checkpoint` is called at every
    decision and may raise to stop. MachineryError is never a fault of the bot.

    After ENOUGH no further game is begun: a bot may think as long as the rules let it, but not keep all others waiting.
    """
    games: list[CheckGame] = []
    started = time.monotonic()
    for seat in range(submission.contest.game.seats[1]):
        if games and time.monotonic() - started > ENOUGH:
            break
        games.append(_play_game(submission, program, seat, checkpoint))
        keep(games[-1])
    return games


def seed_of(submission: Submission, seat: int) -> int:
    return zlib.crc32(f"{submission.team_id}/{submission.number}/{seat}".encode()) & 0x7FFF_FFFF


def opponents(submission: Submission, seat: int) -> list[House]:
    """House bots for the other seats: other ones, and of all strengths, as the seat goes round."""
    house = submission.contest.game.house
    return [house[(seat + step) % len(house)] for step in range(submission.contest.game.seats[1] - 1)]


def _play_game(submission: Submission, program: Program, seat: int, checkpoint: Callable[[], None]) -> CheckGame:
    contest = submission.contest
    house = opponents(submission, seat)
    seats = [Seated(f"House: {it.name.replace('_', ' ')}", f"house:{it.name}", HousePlayer(it)) for it in house]
    bot = PROTOCOLS[contest.game.protocol](program, startup=contest.startup_seconds)
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
    return {
        "slowest_ms": replay.asked[ply].limit_ms if late else max(times, default=None),
        "fault_kind": fault["kind"],
        "fault_detail": sentence(fault, match.debug[seat], replay.asked[ply].allowance, submission.contest.memory_mb),
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
        said += f". The last line of its standard error is “{last}”"
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
