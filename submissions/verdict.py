"""What a check reports about a game: the bot's faults, where they happened, what they mean and cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from contest.replay import FAULTS, Replay
from contest.words import printable
from games import explaining, get, referee
from games import record as records
from games.engine import Event, FaultKind, Game
from games.format import processor_times
from games.phrases import counted
from games.record import Record
from games.sockets import AWAY, LOST
from submissions.build import language_of, names_of
from submissions.models import CheckGame, Submission


@dataclass(frozen=True)
class Spot:
    """An event of a match, by game number and index within the game."""

    game: int
    ply: int
    event: Event


def spots(record: Record, player: int) -> list[Spot]:
    """A player's decisions and faults in a match, in order."""
    found, decisions = [], get(record["game"]).decisions
    for number, events in enumerate(records.games(record), 1):
        seat = records.seating_of(record, events).index(player)
        for ply, event in enumerate(events):
            if event.get("seat") == seat and (event["event"] in decisions or event["event"] == "fault"):
                found.append(Spot(number, ply, event))
    return found


def check_columns(submission: Submission, player: int, match: referee.Match) -> dict[str, Any]:
    """Columns of a CheckGame: whether the bot passed, its times and its first fault that counts."""
    game, record = submission.contest.game, match.record
    mine = spots(record, player)
    times = [it.event["ms"] for it in mine if "ms" in it.event]
    faults = [it for it in mine if it.event["event"] == "fault"]
    told: dict[str, Any] = {
        "passed": True,
        "faults": len(records.faults_by_player(record)[player]),
        "slowest_ms": max(times, default=None),
        "cpu_ms": processor_times(record)[player] if game.exact_cpu else None,
    }
    forbidden = [it for it in faults if it.event["kind"] == FaultKind.VIOLATION]
    helpless = bool(faults) and not times  # every decision was made for it
    if forbidden or helpless or (faults and (game.sample or player in record["result"]["disqualified"])):
        return told | {"passed": False} | _fault(submission, match, player, (forbidden or faults)[0])
    if game.sample and game.failed(record["result"], record["events"]):
        return told | {"passed": False} | _judged(game, record)
    if faults:
        fined = sum(it.event.get("points", 0) for it in faults)
        return told | _fault(submission, match, player, faults[0]) | {"fine": fined}
    return told


def _fault(submission: Submission, match: referee.Match, player: int, at: Spot) -> dict[str, Any]:
    replay = Replay(match.record, at.game, "table", "")
    asked = replay.question(at.ply)
    place = _start(match.record, at.game) + at.ply
    pieces = [piece for piece in match.debug[player] if piece.index <= place]
    errors, lately = ("".join(it.text for it in some) for some in (pieces, (it for it in pieces if it.index == place)))
    language = language_of(submission)
    names = names_of(submission, language) if language else {}
    found = explaining.ended(at.event["detail"], language.slug if language else "", errors, names)
    away = at.event["detail"] in (AWAY, LOST)
    if away:
        found = replace(found, advice=found.advice or explaining.DISCONNECTED)
    if at.event["detail"] == AWAY and not any("ms" in it.event for it in spots(match.record, player)):
        found = replace(
            found, what=found.what.replace(AWAY, "never connected to HOST PORT"), advice=explaining.UNCONNECTED
        )
    said = sentence(at.event, found, asked.allowance_without_brackets if asked else "", submission.contest.memory_mb)
    if at.event["kind"] == FaultKind.TIMEOUT and not away and (words := explaining.last_words(lately)):
        said += f"; meanwhile it wrote “{words}”"
    where = replay.where(at.ply)
    columns: dict[str, Any] = {
        "fault_kind": at.event["kind"],
        "fault_detail": printable(said),
        "fault_advice": found.advice if at.event["kind"] == FaultKind.CRASH or away else "",
        "fault_game": at.game,
        "fault_ply": at.ply,
        "fault_place": where[:1].lower() + where[1:],
    }
    if at.event["kind"] == FaultKind.TIMEOUT and asked:
        columns["slowest_ms"] = asked.limit_ms
    return columns


def _judged(game: Game, record: Record) -> dict[str, Any]:
    """Columns about a bot without faults that was judged wrong: the game that decided its judgement."""
    judgement = game.judgement(record["result"], record["events"])
    number = game.first_failure(record["events"]) or 1
    events = records.game_events(record, number)
    how = events[-1].get("verdict")
    return {
        "fault_kind": "",
        "fault_detail": f"Your bot was judged “{judgement}”" + (f": a game ended with “{how}”" if how else ""),
        "fault_game": number,
        "fault_ply": len(events) - 1,
        "fault_place": f"game {number}",
    }


def sentence(fault: Event, ended: explaining.Found, allowed: str, memory_mb: int) -> str:
    """What the bot did, without a full stop: "Your bot played d5, which it does not hold".

    `ended` says why it crashed, if it did. `allowed` is the time limit of the answer that was due.
    """
    kind, detail = fault["kind"], fault["detail"]
    if kind == FaultKind.VIOLATION:
        return f"Your bot made a forbidden system call: {detail}"
    if kind == FaultKind.CRASH or detail in (AWAY, LOST):
        return f"Your bot {ended.sentence}"
    if kind == FaultKind.TIMEOUT and allowed:
        detail += f": the limit was {allowed}"
    elif kind == FaultKind.MEMORY:
        detail += f" of {memory_mb} MB"
    said = f"Your bot {detail}"
    if fault.get("answer") and fault["answer"] not in detail:
        said += f"; it wrote “{fault['answer']}”"
    return said


def verdict(games: list[CheckGame], seat_names: tuple[str, ...]) -> str:
    """Why the check failed, in one sentence with the rule behind it; blank if it passed."""
    failed = [game for game in games if not game.passed]
    if not failed:
        return ""
    said = _first(failed[0], seat_names)
    faulty = sum(1 for game in games if game.faults)
    more = f" There were faults in {faulty} of {len(games)} games." if faulty > 1 else ""
    return f"{said}{more}"


def warning(games: list[CheckGame], seat_names: tuple[str, ...]) -> str:
    """Faults that the check forgave: the first of them, how many there were and what they cost."""
    faulty = [game for game in games if game.passed and game.faults]
    if not faulty:
        return ""
    count, cost = sum(game.faults for game in faulty), _cost(faulty)
    times = f"There were {count} faults in {len(faulty)} of {len(games)} games"
    times = "This happened once" if count == 1 else times
    price = f" {'It' if count == 1 else 'They'} cost {cost}" if cost else " The referee chose in its place"
    price += ", as in a match."
    return f"{_first(faulty[0], seat_names)} {times}.{price} Your bot can still play."


def _cost(faulty: list[CheckGame]) -> str:
    """What faults cost altogether, such as "7 tricks and 1 point"; blank if nothing."""
    costs: Counter[str] = Counter()
    for check in faulty:
        record = check.record_data()
        game = get(record["game"])
        for events in records.games(record):
            seat = records.seating_of(record, events).index(check.seat)
            for fault, then in pairwise(events):
                if fault["event"] == "fault" and fault["seat"] == seat:
                    costs["point"] += fault.get("points", 0)
                    costs[game.costs.get(then["event"], "")] += 1
    del costs[""]
    return " and ".join(counted(count, what) for what, count in costs.items() if count)


def _start(record: Record, number: int) -> int:
    """The place in a record at which a game begins."""
    return sum(len(events) for events in list(records.games(record))[: number - 1])


def _first(game: CheckGame, seat_names: tuple[str, ...]) -> str:
    """A game's fault with its place, and what to do about it or the rule behind it."""
    rule = f" {game.fault_advice or FAULTS[FaultKind(game.fault_kind)][1]}" if game.fault_kind else ""
    seat = f" as {seat_names[game.seat].capitalize()}" if len(seat_names) > 1 else ""
    where = game.fault_place
    if len(seat_names) > 1:
        check = "the check" if where.startswith("game ") else f"check game {game.number}"  # its seat says which
        where += f" of {check}{seat}"
    return f"{game.fault_detail} ({where}).{rule}"
