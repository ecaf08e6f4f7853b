"""Watch a contest or a match from the terminal: what happens, as it happens."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

from games import GAMES, get
from games.commands import result_lines, shown
from games.engine import Game
from games.phrases import counted
from games.portal.contests import find_stage, standings_table
from games.portal.matches import players, show_match
from games.portal.screen import Board, clock, printable, table_lines
from games.portal.session import Session
from games.portal.trouble import DONE, Trouble
from games.record import Record, RecordError, games, loads, seating_of

LATEST = 10
"""Entries that are told at the beginning, and kept in view on a terminal."""
PACE = 0.4
"""Seconds for each line of a match on a terminal."""
BOARD_ROWS = 16

SENTENCES = {
    "stage_published": "{stage} was published",
    "stage_unpublished": "{stage} was unpublished",
    "entrants_set": "the entrants of {stage} are known",
    "stage_started": "{stage} has started",
    "stage_paused": "{stage} is paused",
    "stage_resumed": "{stage} goes on",
    "stage_finished": "{stage} is finished",
    "stage_reopened": "{stage} is open again",
    "stage_reset": "{stage} starts over",
    "stage_shortened": "{stage} was shortened",
    "stage_abandoned": "{stage} was abandoned",
    "stage_removed": "{stage} was removed",
    "matches_drawn": "{stage}: {matches} drawn",
    "match_voided": "match {match} was voided",
    "match_restored": "match {match} counts again",
    "review_applied": "{stage}: a review was applied",
    "team_disqualified": "{team} was disqualified",
    "team_withdrawn": "{team} has withdrawn",
    "team_reinstated": "{team} is back",
    "round_released": "{stage}: results are public up to round {round}",
    "round_taken_back": "{stage}: results from round {round} on are hidden again",
    "stage_released": "{stage}: all results are public",
    "freeze_set": "results are frozen: new ones stay hidden",
    "freeze_lifted": "the freeze is over",
}
"""What happened, by the kind of an entry. A result is told by its match."""


def watch(here: Session) -> int:
    return _watch_match(here, here.arguments.match) if here.arguments.match else Follower(here).follow()


# A contest ------------------------------------------------------------------------------------------------------------


class Follower:
    """Follows the ledger of a contest until all of its stages are over."""

    def __init__(self, here: Session) -> None:
        self.here = here
        self.path = here.in_contest("/ledger")
        self.name = here.find_contest()["name"]
        self.only = find_stage(here, here.arguments.stage)["id"] if here.arguments.stage else None
        self.teams: dict[int, str] = {}
        self.stages: dict[int, Any] = {}
        self.board = Board(here.screen.out) if here.screen.on_terminal and not here.screen.as_json else None

    def follow(self) -> int:
        self._read_stages()
        after = self._tell_latest()
        while not self._over():
            after = self._next(after)
        self._tell_rest(after)
        return self._end()

    def _tell_latest(self) -> str:
        """Tell what happened last, or everything, and return where to go on."""
        whole = self.here.arguments.from_start
        after = ""
        query: dict[str, Any] = {"limit": 500} if whole else {"last": LATEST}
        while True:
            found = self.here.portal.get(self.path, **query)
            after = found["results"][-1]["cursor"] if found["results"] else after
            if whole or not found["next"]:
                self._tell(found["results"] if whole else found["results"][-LATEST:])
            if not found["next"]:
                return after
            query = {"limit": 500, "after": after}

    def _tell_rest(self, after: str) -> None:
        """Tell what was written between the last entries and the reading of the stages, which are over."""
        found = self.here.portal.get(self.path, after=after, limit=100)
        while found["results"]:
            self._tell(found["results"])
            found = self.here.portal.get(self.path, after=found["results"][-1]["cursor"], limit=100)

    def _next(self, after: str) -> str:
        """Wait for news, tell them, and return where to go on."""
        for found in self.here.portal.changes(self.path, after=after, limit=100):
            if found["results"]:
                self._read_stages()
                self._tell(found["results"])
                return str(found["results"][-1]["cursor"])
        raise AssertionError("changes are endless")

    def _read_stages(self) -> None:
        self.stages = {stage["id"]: stage for stage in self.here.portal.get(self.here.in_contest("/stages"))}

    def _watched(self) -> list[Any]:
        return [it for it in self.stages.values() if self.only in (None, it["id"])]

    def _over(self) -> bool:
        watched = self._watched()
        return bool(watched) and all(stage["is_over"] for stage in watched)

    def _tell(self, entries: list[Any]) -> None:
        lines = []
        for entry in entries:
            if self.only not in (None, entry["stage"]) and entry["stage"] is not None:
                continue
            text = self._sentence(entry)
            self.here.screen.line({**entry, "text": text})
            lines.append(f"{clock(entry['at'])}  {text[:1].upper()}{text[1:]}")
        if self.board:
            self.board.show([printable(line) for line in lines], self._standings())
        else:
            self.here.screen.say(*lines)

    def _sentence(self, entry: Any) -> str:
        if entry["kind"] == "match_result":
            return self._result(entry)
        stage, number = self.stages.get(entry["stage"]), len(entry["data"].get("matches", []))
        text = SENTENCES.get(entry["kind"], entry["kind"].replace("_", " ")).format(
            stage=stage["name"] if stage else f"stage {entry['stage']}",
            matches=counted(number, "match"),
            match=entry["match"],
            team=self._team(entry["team"]),
            round=entry["round"],
        )
        return f"{text}: {entry['reason']}" if entry["reason"] else text

    def _result(self, entry: Any) -> str:
        try:
            match = self.here.portal.get(f"/matches/{entry['match']}")
        except Trouble as trouble:
            if trouble.code != "not_found":
                raise
            return f"match {entry['match']} was played"
        return f"{match['stage_name']}, {match['table']}: {players(match)} (match {match['match']})"

    def _team(self, pk: int | None) -> str:
        if pk is None:
            return ""
        if pk not in self.teams:
            try:
                self.teams[pk] = self.here.portal.get(self.here.in_contest(f"/teams/{pk}"))["name"]
            except Trouble as trouble:
                if trouble.code != "not_found":
                    raise
                self.teams[pk] = f"team {pk}"
        return self.teams[pk]

    # Standings --------------------------------------------------------------------------------------------------------

    def _current(self) -> Any:
        """The stage whose standings are shown: the last one that has started."""
        begun = [it for it in self._watched() if it["state"] in ("running", "paused", "done")]
        running = [it for it in begun if not it["is_over"]]
        return (running or begun or [None])[-1]

    def _standings(self) -> list[str]:
        stage = self._current()
        title = f"── {self.name}" + (f", {stage['name']}" if stage else "") + " ──"
        path = self.here.in_contest(f"/stages/{stage['id']}/standings" if stage else "/standings")
        lines = table_lines(*standings_table(self.here.portal.get(path, limit=BOARD_ROWS)["results"]))
        return [printable(title), *lines]

    def _end(self) -> int:
        stage = self._current() if self.only else None
        path = self.here.in_contest(f"/stages/{stage['id']}/standings" if stage else "/standings")
        champion = self.here.portal.get(path, limit=1)["champion"]
        self.here.screen.line({"kind": "over", "champion": champion})
        if not self.board:
            self.here.screen.say("", *self._standings())
        name = stage["name"] if stage else self.name
        self.here.screen.say("", f"{name} is over." + (f" Champion: {champion['team']}" if champion else ""))
        return DONE


# A match --------------------------------------------------------------------------------------------------------------


def _watch_match(here: Session, number: int) -> int:
    """Wait until a match is played, and step through its record."""
    found = _played(here, number)
    if found["state"] == "void":
        raise Trouble(f"Match {number} is void: {found['void_reason']}", code="void")
    if not found["record"]:
        show_match(here, found)
        return DONE
    record = _record(here.portal.ask("GET", f"/matches/{number}/record").text)
    show_record(here, record, found["title"])
    return DONE


def _played(here: Session, number: int) -> Any:
    bar, told = here.screen.bar, ""
    for found in here.portal.changes(f"/matches/{number}"):
        if found["withheld"]:
            raise Trouble(f"The result of match {number} is not public yet.", code="withheld")
        if found["state"] in ("done", "void"):
            bar.clear()
            return found
        text = f"match {number} is {'waiting for a worker' if found['state'] == 'queued' else 'being played'}"
        bar.show(0 if found["state"] == "queued" else 0.5, 1, text)
        if not bar.works and text != told and not here.screen.as_json:
            here.screen.note(text)
        told = text
    raise AssertionError("changes are endless")


def _record(text: str) -> Record:
    try:
        record = loads(text.encode())
    except RecordError as error:
        raise Trouble(f"The record cannot be read: {error}", code="bad_record") from None
    if record["game"] not in GAMES:
        hint = "Use the kibitz.pyz from this contest's starter kit."
        raise Trouble(f"This kibitz does not know the game {record['game']!r}.", hint, code="unknown_game")
    return record


def show_record(here: Session, record: Record, title: str) -> None:
    """Step through a match, trick by trick."""
    game, only = get(record["game"]), here.arguments.game
    pace = here.arguments.pace if here.arguments.pace is not None else PACE if here.screen.on_terminal else 0.0
    here.screen.say(f"{title}: {game.title}, {counted(len(games(record)), 'game')}")
    for number, events in enumerate(games(record), 1):
        if only and number != only:
            continue
        if here.screen.as_json:
            for event in events:
                here.screen.line({"game": number, **event})
            continue
        for line in _lines(game, record, events, number):
            here.screen.say(line)
            if pace:
                time.sleep(pace)
    here.screen.say("", *result_lines(record))
    sys.stdout.flush()


def _lines(game: Game, record: Record, events: list[Any], number: int) -> Iterator[str]:
    seating = seating_of(record, events)
    names = [f"{game.seat_names[seat]} {record['seats'][player]['name']}" for seat, player in enumerate(seating)]
    yield f"\nGame {number}: {', '.join(names)}"
    yield from shown(game, events)
