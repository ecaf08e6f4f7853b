"""The commands of `python3 -m games` that every game has: list, play, verify, show."""

from __future__ import annotations

import json
import secrets
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from games import GAMES, explaining, get
from games.build import HOUSE, seated, source_of
from games.deals import Stranger, check
from games.debug import Piece
from games.engine import Event, FaultKind, Game, Opening, OptionError, View
from games.format import counted_places, processor_times
from games.logs import Journal, write_logs
from games.phrases import amount, beside, counted, listed
from games.programs import pinned
from games.record import Record, RecordError, dumps, games, games_played, loads, seating_of, verify
from games.referee import Match
from games.referee import play as play_match


class Command(NamedTuple):
    """A command that only one game has. The module `commands` of a game's package lists them by name, in COMMANDS."""

    run: Callable[[Sequence[str]], int]  # takes the words after the command's name, returns the exit status
    help: str  # the words that follow the name in the usage line, and what the command does
    lists_options: bool = False  # answers --help itself


PROGRAM = "kibitz" if Path(sys.argv[0]).name.startswith("kibitz") else "games"
"""How it was called: as kibitz.pyz and the installed command, or as `python3 -m games`."""
MOST_LINES = 20
"""Lines of each bot's debug output that a terminal shows: the last ones."""
PLAYED, JUDGED, REFUSED = 0, 1, 2
"""Exit status: the game was played; a bot was disqualified or judged wrong; the command could not be carried out."""


def list_games(arguments: Namespace) -> int:
    if arguments.json:
        print(json.dumps([_game_value(game) for game in GAMES.values()], indent=2, ensure_ascii=False))
        return PLAYED
    for game in GAMES.values():
        fewest, most = game.seats
        print(f"{game.slug}: {game.title}, {_people(fewest, most)}")
        print(f"  {game.summary}")
        print(f"  bot protocol: {game.protocol}")
        for preset in game.presets:
            options = " ".join(f"{key}={json.dumps(value)}" for key, value in preset.options.items())
            print(f"  rules {preset.name}: {options}")
        for house in game.house:
            print(f"  house:{house.name} ({house.skill}): {house.about}")
    return PLAYED


def _game_value(game: Game) -> dict[str, Any]:
    return {
        "game": game.slug,
        "title": game.title,
        "tagline": game.summary,
        "players": list(game.seats),
        "protocol": game.protocol,
        "rules": {preset.name: preset.options for preset in game.presets},
        "house": [{"name": house.name, "skill": house.skill, "about": house.about} for house in game.house],
    }


def play(arguments: Namespace) -> int:
    game = get(arguments.game)
    options = game.options(parse_options(arguments.option))
    check_writable(arguments.record, arguments.log)
    seed = secrets.randbelow(2**31) if arguments.seed is None else arguments.seed
    log = Path(arguments.log) if arguments.log else None
    match = play_local(game, arguments.bot, seed, options, arguments.games, log=log)
    if not arguments.json:
        report(game, match, arguments.bot)
    status = deliver(game, match, arguments)
    if log:
        written = write_logs(game, match.record, log)
        print(f"log written: {' to '.join(dict.fromkeys(map(str, (written[0], written[-1]))))}", file=sys.stderr)
    return status


def deliver(game: Game, match: Match, arguments: Namespace) -> int:
    """Print and write the record as `--json` and `--record` want it. Returns the exit status."""
    if arguments.json:
        print(dumps(match.record))
    if arguments.record:
        Path(arguments.record).write_text(dumps(match.record) + "\n", encoding="utf-8")
        print(f"record written: {arguments.record}", file=sys.stderr)
    return JUDGED if game.failed(match.record["result"], match.record["events"]) else PLAYED


def play_local(
    game: Game,
    bots: Sequence[str],
    seed: int,
    options: dict[str, Any],
    games: int | None = None,
    openings: Sequence[Opening] | None = None,
    log: Path | None = None,
) -> Match:
    """Play a match between players named as on the command line. `log` is kept while it is played. Raises OptionError,
    BuildError, MachineryError."""
    seats = [seated(game, bot) for bot in filled(game, bots)]
    preset = game.preset().name
    journal = Journal(game, seats, seed, options, log) if log else None
    how: dict[str, Any] = {"games": games, "openings": openings, "on_event": journal.hear if journal else None}
    with pinned(), journal.kept() if journal else nullcontext():
        return play_match(game, seats, seed=seed, options=options, preset=preset, **how)


def filled(game: Game, bots: Sequence[str]) -> list[str]:
    """Return the named players, with house players in the remaining seats. Raises OptionError if they do not
    fit."""
    fewest, most = game.seats
    fillers = [HOUSE + game.fillers[seat % len(game.fillers)] for seat in range(fewest)] if game.fillers else []
    players = [*bots, *fillers[: max(0, fewest - len(bots))]] if bots else []
    if not fewest <= len(players) <= most:
        named = f"{len(bots) or 'none'} {'was' if len(bots) < 2 else 'were'} named"
        house = listed([HOUSE + each.name for each in game.house], "or")
        seats = "seat" if fewest - len(players) == 1 else "seats"
        fill = f": fill the other {seats} with {house}" if 0 < len(players) < fewest else ""
        raise OptionError(f"{game.title} is played by {_people(fewest, most)}, and {named}{fill}")
    return players


def _people(fewest: int, most: int) -> str:
    return counted(most, "player") if fewest == most else f"{fewest} to {most} players"


def parse_options(texts: Sequence[str]) -> dict[str, Any]:
    """Parse KEY=VALUE from the command line. A value is JSON if it can be parsed, otherwise text."""
    options: dict[str, Any] = {}
    for text in texts:
        key, separator, value = text.partition("=")
        if not separator or not key:
            raise OptionError(f"an option is written KEY=VALUE, not {text!r}")
        try:
            options[key] = json.loads(value)
        except ValueError:
            options[key] = value
    return options


def positive(text: str) -> int:
    """The type of an argument that is a number from 1 on."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def check_writable(*paths: str | None) -> None:
    """Refuse a path whose folder does not exist before a long match begins. Raises OptionError."""
    for path in paths:
        if path and not Path(path).absolute().parent.is_dir():
            raise OptionError(f"there is no folder for {path}")


def report(game: Game, match: Match, bots: Sequence[str], where: TextIO | None = None) -> None:
    """Print the outcome, and what the bots wrote to standard error on ours. If any are named, others are fillers."""
    record = match.record
    for player, bot in enumerate(bots):
        print_debug(record["seats"][player]["name"], match.debug[player])
        _explain(game, match, player, bot)
    print(f"{game.title}, seed {record['seed']}, rules {record['rules']}", file=where)
    for player, faults in enumerate(match.faults):
        for fault, run in groupby(_fault_words(event) for event in faults):
            times = len(list(run))
            again = f" ({times} times)" if times > 1 else ""
            print(f"fault of {record['seats'][player]['name']}: {fault}{again}", file=where)
    _print_outcome(record, where, len(bots) or None)


def print_debug(name: str, pieces: Sequence[Piece]) -> None:
    """Print what a bot wrote to standard error on ours: on a terminal only its end."""
    lines = "".join(f"[{name}, event {piece.index}] {piece.text.rstrip()}\n" for piece in pieces).split("\n")[:-1]
    if (left_out := len(lines) - MOST_LINES) > 0 and sys.stderr.isatty():
        lines[:left_out] = [f"[{name}] {left_out} earlier lines of debug output are left out. `2> FILE` keeps all."]
    for line in lines:
        print(line, file=sys.stderr)


def _explain(game: Game, match: Match, player: int, bot: str) -> None:
    """Say why a bot crashed, where what it wrote says more than the fault does."""
    name = match.record["seats"][player]["name"]
    crash = next((fault for fault in match.faults[player] if fault["kind"] == FaultKind.CRASH), None)
    if crash is None:
        return
    source = source_of(game, bot)
    errors = "".join(piece.text for piece in match.debug[player])
    found = explaining.ended(crash["detail"], source.language, errors, source.names)
    if found.what != crash["detail"]:
        print(f"[{name}] {found.sentence}", file=sys.stderr)
    if found.advice:
        print(f"[{name}] {found.advice}", file=sys.stderr)


def _fault_words(fault: Event) -> str:
    answer = f", answer {fault['answer']!r}" if "answer" in fault else ""
    return f"{fault['kind']}: {fault['detail']}{answer}"


def _print_outcome(record: Record, where: TextIO | None = None, named: int | None = None) -> None:
    print("\n".join(result_lines(record, named)), file=where)
    if tally := get(record["game"]).tally(record["events"]):
        print(tally, file=where)


def result_lines(record: Record, named: int | None = None) -> Iterator[str]:
    """Yield a line for each player, by place: place, score, name, bot, and the cost of its processor time where there
    is one, which the place includes. Players after the first `named` are marked as fillers."""
    result, game = record["result"], get(record["game"])
    times, places = processor_times(record), counted_places(game, record)
    for player in sorted(range(len(record["seats"])), key=lambda player: places[player]):
        seat = record["seats"][player]
        out = ", disqualified" if player in result["disqualified"] else ""
        cost = game.penalty(record["options"], times[player])
        time = f", time penalty {cost:.1f}" if cost else ""
        filler = " (fills a seat)" if named is not None and player >= named else ""
        number, unit = amount(result["scores"][player], game.counts).split(" ", 1)
        yield f"{places[player]}. {number:>5} {unit}: {seat['name']} ({seat['bot']}){filler}{time}{out}"


def verify_records(arguments: Namespace) -> int:
    status = PLAYED
    for path in arguments.record:
        record = read_record(path)
        found = check(record, get(record["game"]))
        foreign = isinstance(found, Stranger) and not found.late  # another referee may have dealt
        difference = None if foreign else found
        if arguments.json:
            told = None if difference is None else {"event": difference.index, "text": difference.text}
            print(json.dumps({"record": path, "games": games_played(record), "difference": told}, ensure_ascii=False))
        elif difference:
            print(f"{path}: event {difference.index}: {difference.text}")
        else:
            print(f"{path}: the record follows from the rules ({counted(games_played(record), 'game')})")
        if difference:
            status = JUDGED
        elif found:
            print(f"{path}: note: {found.text}", file=sys.stderr)
    return status


def read_record(path: str) -> Record:
    try:
        return loads(Path(path).read_bytes())
    except OSError as error:
        raise OptionError(f"cannot read {path}: {error.strerror}") from None
    except RecordError as error:
        raise OptionError(f"{path}: {error}") from None


def show(arguments: Namespace) -> int:
    record = read_record(arguments.record)
    game = get(record["game"])
    difference = verify(record)
    if difference:
        raise OptionError(f"{arguments.record}: {difference}")
    if arguments.json:
        print(dumps(record))
        return PLAYED
    print(f"{game.title}, seed {record['seed']}, rules {record['rules']}")
    only = arguments.game or (1 if arguments.hand else None)
    for number, events in enumerate(games(record), 1):
        if only not in (None, number):
            continue
        seating = seating_of(record, events)
        names = [f"{game.seat_names[seat]} {record['seats'][player]['name']}" for seat, player in enumerate(seating)]
        print(f"\nGame {number}: {', '.join(names)}")
        print("\n".join(shown(game, _part(events, arguments.hand))))
        only = only and 0
    if only:
        raise OptionError(f"{arguments.record} has {counted(games_played(record), 'game')}, and no game {only}")
    if only is None:
        print()
        _print_outcome(record)
    return PLAYED


def _part(events: Sequence[Event], hand: int | None) -> Sequence[Event]:
    """Return the events of a hand, or all. Raises OptionError."""
    if hand is None:
        return events
    found: list[Event] = []  # from the deal of the hand to its score
    for event in events:
        if event["event"] == "hand":
            if found:
                break
            if event["number"] != hand:
                continue
        elif not found:
            continue
        found.append(event)
        if event["event"] == "score":
            break
    if not found:
        raise OptionError(f"no hand {hand} was dealt in this game")
    return found


def shown(game: Game, events: Sequence[Event]) -> Iterator[str]:
    """Yield a game in lines: the hands, one line for each trick or kind of decision, and the scores."""
    names, view = game.seat_names, game.view(None)
    chosen: list[str] = []
    doing = ""
    for event in events:
        kind = event["event"]
        if chosen and kind != doing:
            yield f"  {doing}: {', '.join(chosen)}" + (_taken(event, names) if kind == "trick" else "")
            chosen = []
        if kind == "hand":
            yield f"Hand {event['number']}"
            yield from (f"  {name:6} {_cards(hand)}" for name, hand in zip(names, event["hands"], strict=True))
            yield from (f"  {pile:6} {_cards(event[pile])}" for pile in ("pool", "stock") if pile in event)
        elif kind == "score":
            yield f"  points: {_per_seat(names, event['hand'])}; total: {_per_seat(names, event['total'])}"
        elif kind == "fault":
            yield f"  fault of {names[event['seat']]}: {event['kind']}: {event.get('detail', '')}"
        elif kind == "forfeit":
            yield f"  forfeit of {names[event['seat']]}: it loses {event['lost']}, the other {event['other']}"
        elif kind == "deal":
            yield f"  dealt: {event['card']}"
        elif kind == "result":
            yield f"Result: {_outcome(game, event, view)}"
        elif "seat" in event:
            doing = kind
            by = " (referee)" if "by" in event else ""
            chosen.append(f"{names[event['seat']]} {_cards(game.chosen(event))}".rstrip() + by)
        view.tell(event)


def _outcome(game: Game, result: Event, before: View) -> str:
    """Describe the scores of a game, and add a sentence where they do not say it all: a verdict, or an unexpected
    winner."""
    told = game.caption(result, before)
    if "verdict" in result:
        return told
    scores, winner = result["scores"], result.get("winner")
    best = (min if game.low_wins else max)(scores)
    unit = game.counts if "points" in game.counts else "points"  # what wins a game, in matches that count games won
    shown = f"{_per_seat(game.seat_names, scores)} ({unit})"
    leaders = [seat for seat, score in enumerate(scores) if score == best]
    return shown if winner is None or leaders == [winner] else f"{shown}. {told}"


def _taken(event: Event, names: Sequence[str]) -> str:
    winner = "nobody" if event["winner"] is None else names[event["winner"]]
    return f" -> {winner}, {counted(event['points'], 'point')}"


def _cards(cards: Sequence[Any]) -> str:
    return " ".join(map(str, cards))


def _per_seat(names: Sequence[str], numbers: Sequence[int]) -> str:
    return ", ".join(map(beside, names, numbers))
