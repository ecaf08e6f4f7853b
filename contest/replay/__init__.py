"""One game of a record as a page: every event a position that has an address of its own.

Pure: a record goes in, what the templates of `templates/replay/` draw comes out. Matches (tournaments) and check games
(submissions) use it alike, and no game is mentioned here by name: `table.html` in its own folder draws its
table, from `View.position()`. What one seat may see is decided by the game's own fold, never by leaving something out
here.

Words: a *ply* is the index of an event within its game, from 0, and means the position after that event. A *round* is
what follows one `hand` event; a *view* is "table" (all hands open), "hidden" (no hands) or the number of a seat.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from typing import Any, Literal

from markupsafe import Markup

import games
from contest.charts import LineChart
from contest.drawing import draw
from contest.replay import why
from contest.replay.beside import siblings
from contest.replay.moves import Move, MoveList, Stop, move, moves
from contest.replay.parts import (
    CONTROLS,
    FAULTS,
    Asked,
    Key,
    Link,
    Pieces,
    ReplaySeat,
    Round,
    Thinking,
    ViewLink,
    keys,
    seats_of,
)
from contest.replay.places import in_words, place_of, places, with_names
from contest.replay.scores import ScoreTable, Swing, score_chart, score_table, swings
from contest.replay.steps import FaultShown, Step, ThinkingTime
from contest.replay.thinking import Numbers, Sent, questions, thinking_of
from games.engine import Event, Game
from games.hearing import heard
from games.record import Position, Record, captions, positions, repeats
from games.record import games as split_games

__all__ = ["FAULTS", "Numbers", "Pieces", "Replay", "build_replay", "place_of", "siblings", "why"]


class Replay:
    """One game of a record, from one view. Everything is computed when it is first asked for."""

    def __init__(
        self,
        record: Record,
        number: int,
        view: str | None,
        base_url: str,
        stderr: Mapping[int, Pieces] | None = None,
        numbers: Numbers | None = None,
        rules: str = "",
    ) -> None:
        """`view` may be what somebody typed; nonsense is the open table. `stderr`: by player, and only what this reader
        may see. `rules`: the address of the game's rules. Raises LookupError when there is no such game."""
        self.record = record
        self.game: Game = games.get(record["game"])
        self.number = number
        self.numbers = numbers
        self.rules = rules
        self.base_url = base_url
        self.games = split_games(record)
        self.count = sum(events[-1]["event"] == "result" for events in self.games)
        self.events = self._told = dict(enumerate(self.games, 1))[number]
        self.offset = sum(map(len, self.games[: number - 1]))
        self.seats = seats_of(self.game, record, self.events)
        self.view = view if view is not None and view in self.views else "table"
        self.stderr = stderr or {}
        self.last = len(self.events) - 1
        self._positions: dict[int, Position] = {}
        self._sent: list[Sent | None] = []  # by ply, as far as somebody has asked for it
        self._places: dict[int, list[str]] = {}  # by number of the round

    @property
    def views(self) -> dict[str, str]:
        """The views there are, with their names."""
        one = {str(seat.index): seat.label for seat in self.seats}
        return {"table": "All hands", **one, "hidden": "No hands"}

    @property
    def own(self) -> int | None:
        """The seat whose view this is."""
        return int(self.view) if self.view.isdigit() else None

    def position(self, ply: int) -> Position:
        """The table at a ply, and the one before it: a page asks for both."""
        if ply not in self._positions:
            seat: Literal["table"] | int | None = "table" if self.view == "table" else self.own
            until = {**self.record, "events": self._told[: ply + 1]}  # so that nobody looks through the rest
            for found in positions(until, 1, seat, plies=range(max(ply - 1, 0), ply + 1)):
                self._positions[found.index] = found
        return self._positions[ply]

    def fold(self) -> None:
        """Fold the whole game at once, for whoever wants all its positions."""
        seat: Literal["table"] | int | None = "table" if self.view == "table" else self.own
        self._positions = {found.index: found for found in positions(self.record, self.number, seat)}

    @cached_property
    def captions(self) -> list[str]:
        """Every event in a sentence, as far as this view hears of it, with the names of those who sit there."""
        seat: Literal["table"] | int | None = "table" if self.view == "table" else self.own
        return [with_names(each, self.seats) for each in captions(self.record, self.number, seat)]

    def href(self, ply: int, view: str | None = None) -> str:
        view = view or self.view
        return f"{self.base_url}?ply={ply}" + (f"&view={view}" if view != "table" else "")

    def clamp(self, text: str | None) -> int:
        """The ply that somebody asked for, whatever was written in the address."""
        try:
            return min(max(int(text), 0), self.last) if text else self.opening
        except ValueError:
            return self.opening

    @cached_property
    def seen(self) -> list[Event]:
        """The events with as much of each as this view may know."""
        if self.view == "table":
            return self.events
        return [
            part or {key: event[key] for key in ("event", "seat") if key in event}
            for event, (_, part) in zip(self.events, self._heard, strict=True)
        ]

    @cached_property
    def heard(self) -> Sequence[int]:
        """By ply: the ply with which this view hears of that event."""
        return range(self.last + 1) if self.view == "table" else [ply for ply, _ in self._heard]

    @cached_property
    def _heard(self) -> list[tuple[int, Event | None]]:
        return heard(self.game, self.events, self.own)

    # Where things are ---------------------------------------------------------------------------------------------

    @cached_property
    def _indexed(self) -> tuple[dict[str, list[int]], list[dict[int, float | None]]]:
        """The plies by kind of event, and `times`, read at once. A clock that stays used up is one fault."""
        plies: dict[str, list[int]] = defaultdict(list)
        times: list[dict[int, float | None]] = [{} for _ in self.seats]
        decisions = self.game.decisions
        for ply, event in enumerate(self.events):
            if (kind := event["event"]) != "fault" or not repeats(self.events, ply):
                plies[kind].append(ply)
            if kind in decisions:
                times[event["seat"]][ply] = event.get("ms")
        return plies, times

    def plies(self, *kinds: str) -> list[int]:
        return sorted(chain.from_iterable(self._indexed[0].get(kind, ()) for kind in kinds))

    @cached_property
    def rounds(self) -> list[Round]:
        deals = self.plies("hand") or [0]
        starts = [0, *deals[1:]]  # what stands before the first hand belongs to it
        ends = [*(start - 1 for start in starts[1:]), self.last]
        found = []
        for number, (first, deal, last) in enumerate(zip(starts, deals, ends, strict=True), 1):
            scores, faults = (self._between(kind, first, last) for kind in ("score", "fault"))
            score = self.events[scores[0]] if scores else {}
            hand, total = score.get("hand"), score.get("total")
            found.append(Round(number, first, deal, last, hand, total, self.href(deal), len(faults)))
        return found

    def _between(self, kind: str, first: int, last: int) -> Sequence[int]:
        found = self._indexed[0].get(kind, [])
        return found[bisect_left(found, first) : bisect_right(found, last)]

    def round_at(self, ply: int) -> Round:
        return self.rounds[bisect_right([each.first for each in self.rounds], ply) - 1]

    @property
    def opening(self) -> int:
        """Where a reader begins: at the first deal, with cards on the table."""
        return self.rounds[0].deal

    @cached_property
    def faults(self) -> list[Move]:
        return [
            replace(move(self.game, self.events, self.seats, Stop(ply, self.href(ply))), where=self.where(ply))
            for ply in self.plies("fault")
        ]

    @cached_property
    def stops(self) -> dict[str, Sequence[int]]:
        """Where each kind of step stops: after a trick or a deal, at a deal, at a fault, at a seat's decisions."""
        stops: dict[str, Sequence[int]] = {
            "card": range(self.last + 1),
            "trick": sorted({self.opening, *self.plies("hand", "trick", "deal"), self.last}),
            "round": [each.deal for each in self.rounds],
            "fault": self.plies("fault"),
            "swing": [each.round.deal for each in self.swings],
        }
        return stops | {f"seat{seat}": list(times) for seat, times in enumerate(self.times)}

    @property
    def times(self) -> list[dict[int, float | None]]:
        """By seat and ply: the milliseconds of its decisions, None where nobody measured them."""
        return self._indexed[1]

    def links(self, ply: int) -> dict[str, Link]:
        """Every step from here by its key: first, last; next-… and prev-… card, trick, round, fault, seat0 …"""
        found = {"first": self._link("first", "Start", self.opening if ply != self.opening else None)}
        for kind in self.stops:
            found |= self._both(kind, ply)
        found["last"] = self._link("last", "End", self.last if ply < self.last else None)
        return found

    def _both(self, kind: str, ply: int) -> dict[str, Link]:
        """The steps of one kind, to either side."""
        stops, words = self.stops[kind], self._kind_words(kind)
        before, after = bisect_left(stops, ply), bisect_right(stops, ply)
        previous = stops[before - 1] if before else None
        following = stops[after] if after < len(stops) else None
        return {
            f"prev-{kind}": self._link(f"prev-{kind}", f"Previous {words}", previous),
            f"next-{kind}": self._link(f"next-{kind}", f"Next {words}", following),
        }

    def _kind_words(self, kind: str) -> str:
        if kind.startswith("seat"):
            return f"decision of {self.seats[int(kind[4:])].label}"
        return {"trick": self.game.trick_word, "round": self.game.hand_word}.get(kind, kind)

    def _link(self, key: str, label: str, ply: int | None) -> Link:
        return Link(key, label, ply, "" if ply is None else self.href(ply))

    @property
    def controls(self) -> Sequence[str]:
        """The steps that have a button, in their order."""
        useless = (not self.faults and "fault", not self.game.hand_word and "round")
        return [key for key in CONTROLS if key.split("-")[-1] not in useless]

    def place(self, ply: int) -> str:
        """Where in its round an event stands (contest.replay.places)."""
        this = self.round_at(ply)
        if this.number not in self._places:
            self._places[this.number] = places(self.game, self.events[this.first : this.last + 1])
        return self._places[this.number][ply - this.first]

    def where(self, ply: int) -> str:
        """Such as `Round 3, trick 5`; of a fault, where the decision stands that was due."""
        words = in_words(self.game, self.round_at(ply).number, self.place(ply))
        return f"Game {self.number}, {words[:1].lower()}{words[1:]}" if self.count > 1 else words

    @property
    def suited(self) -> bool:
        """Whether the suits of the pack are drawn, so that their colours can be told apart."""
        face = self.game.face(self.game.pack[0])
        return face is not None and face.suit in tuple("cdhs")

    @property
    def has_cpu(self) -> bool:
        return any(each.cpu is not None for each in self.thinking)

    @property
    def firsts(self) -> str:
        """For the script: the first ply of each round."""
        return ",".join(str(each.first) for each in self.rounds)

    @property
    def fault_ticks(self) -> str:
        """The path of the marks below the slider. Those of the rounds are drawn by the script."""
        return "".join(f"M{each.ply} 0v8" for each in self.faults)

    @property
    def rotate(self) -> int:
        """By how many places the table is turned, so that the seat whose view this is sits nearest."""
        return 0 if self.own is None else (len(self.seats) // 2 - self.own) % len(self.seats)

    @cached_property
    def chart(self) -> LineChart | None:
        """The totals by round; None where there are not two rounds to compare."""
        return score_chart(self.game, self.seats, self.rounds, self.href, self.events[-1], self.record["options"])

    @property
    def scores(self) -> ScoreTable | None:
        """The points hand by hand; None where nobody counts them so."""
        if any(each.total is not None for each in self.rounds):
            return score_table(self.game, self.seats, self.rounds, self.events[-1])
        return None

    @cached_property
    def swings(self) -> list[Swing]:
        """The deals that decided the game, for the seat whose view this is."""
        return swings(self.rounds, self.seats, self.events[-1], self.game.low_wins, self.own)

    @property
    def keys(self) -> list[Key]:
        return keys(self.game, self.seats, has_swings=bool(self.swings))

    @property
    def open_seats(self) -> list[ReplaySeat]:
        """The seats whose questions this reader may know, and times: how close to a limit depends on the question."""
        return self.seats

    @cached_property
    def _questions(self) -> Iterator[Sent | None]:
        return questions(self)

    def sent(self, ply: int) -> Sent | None:
        """What was sent before a decision or a fault of these bots. They are asked again only up to there, because the
        questions of a long game take a quarter of the time of its page."""
        self._sent.extend(islice(self._questions, max(ply + 1 - len(self._sent), 0)))
        return self._sent[ply]

    def question(self, ply: int) -> Asked | None:
        """The question behind a decision or a fault of a bot."""
        if (asked := self.sent(ply)) is None:
            return None
        (sent, lines), event = asked, self._told[ply]
        is_of_one_call = event["event"] == "fault" and self.game.is_of_one_call(event)
        return Asked(sent, lines, self.limit(1 if is_of_one_call else lines), self.limit(1))

    def limit(self, lines: int) -> float:
        """Milliseconds that a bot has for a question of that many lines."""
        return 1000 * self.game.seconds(self.record["options"], lines)

    @property
    def asked_texts(self) -> dict[int, str]:
        """By ply: what the bot was sent, where this view may read it."""
        if self.view == "hidden":
            return {}
        mine = (ply for ply, event in enumerate(self.events) if self.own in (None, event.get("seat")))
        return {ply: question.text for ply in mine if (question := self.question(ply))}

    @cached_property
    def thinking(self) -> list[Thinking]:
        """The times of these seats, as far as they were timed."""
        return [found for seat in self.open_seats if (found := thinking_of(self, seat))]

    # What the templates draw --------------------------------------------------------------------------------------

    @cached_property
    def debug_texts(self) -> dict[int, list[tuple[str, str]]]:
        """By ply: what bots wrote to standard error and why they crashed, with headings, if this reader may read it.
        What came before or after the game stands at its ends."""
        found: dict[int, list[tuple[str, str]]] = {}
        for seat in self.seats:
            for place, text in self.stderr.get(seat.player, ()):
                ply = place - self.offset
                if self.count == 1:
                    ply = min(max(ply, 0), self.last)
                if 0 <= ply <= self.last:
                    found.setdefault(ply, []).append((f"{seat.name} wrote to standard error", text))
        for ply, seat, told in self._explained():
            found.setdefault(ply, []).append((f"Why {seat.name} crashed", told))
        return found

    def _explained(self) -> Iterator[tuple[int, ReplaySeat, str]]:
        """Why programs crashed, as far as this reader may see what they wrote."""
        for ply in self.plies("fault") if self.stderr else ():
            seat = self.seats[self.events[ply]["seat"]]
            bot, pieces = self.record["seats"][seat.player]["bot"], self.stderr.get(seat.player, ())
            if found := why.ended(self.events[ply], bot, pieces, ply + self.offset):
                yield ply, seat, why.in_words(found)

    def step(self, ply: int, *, bare: bool = False) -> Step:
        """Everything that changes with the position. `bare`: without the links beside it."""
        position, event = self.position(ply), self.events[ply]
        seat = self.seats[event["seat"]] if "seat" in event else None
        asked = self.question(ply)
        may_read = self.view == "table" or (seat is not None and self.own == seat.index)
        coming = self._coming(ply)
        follows = seat if self.own is None else self.seats[self.own]
        links = self._both(f"seat{follows.index}", ply) if bare and follows else {} if bare else self.links(ply)
        return Step(
            ply=ply,
            event=event,
            seen=position.event,
            table=position.table,
            round=self.round_at(ply),
            where=self.where(ply),
            caption=with_names(position.caption, self.seats),
            seat=seat,
            is_opening=event["event"] == "hand",
            fault=self._fault(ply),
            reason=self._fault(ply - 1) if ply else None,
            time=ThinkingTime.of(event, asked) if "ms" in event else None,
            chosen_from=self._chosen_from(ply),
            asked=asked.text if asked and may_read else "",
            debug=self.debug_texts.get(ply, []),
            next_seat=None if coming is None else self.seats[self.events[coming]["seat"]],
            next_href="" if coming is None else self.href(coming),
            follows=follows,
            links=links,
            controls=[] if bare else [links[key] for key in self.controls],
            views=[] if bare else self._views(ply),
        )

    def _views(self, ply: int) -> list[ViewLink]:
        return [ViewLink(key, label, self.href(ply, key), key == self.view) for key, label in self.views.items()]

    def _coming(self, ply: int) -> int | None:
        """The next decision, at a position that is not itself one."""
        index = bisect_right(self._decisions, ply)
        if self.events[ply]["event"] in self.game.decisions or index == len(self._decisions):
            return None
        return self._decisions[index]

    @cached_property
    def _decisions(self) -> list[int]:
        return self.plies(*self.game.decisions)

    def _chosen_from(self, ply: int) -> int | None:
        """Among how many legal actions a decision was made, where the view knows."""
        if self.events[ply]["event"] not in self.game.decisions or "by" in self.events[ply]:
            return None
        legal = self.position(ply - 1).table.get("legal")
        return len(legal) if legal else None

    def _fault(self, ply: int) -> FaultShown | None:
        event = self.events[ply]
        if event["event"] != "fault":
            return None
        return FaultShown.of(self.game, event, self.seats[event["seat"]], self.question(ply))

    def draw_position(self, step: Step) -> Markup:
        """The table, by the game's own template."""
        template = f"games/{self.game.slug}/table.html"
        return draw(self.game, template, table=step.table, event=step.seen, seats=self.plain_seats, own=self.own)

    @cached_property
    def plain_seats(self) -> list[dict[str, Any]]:
        """The seats as a template reads them most quickly."""
        return [seat.plain() for seat in self.seats]

    def draw_decision(self, step: Step, *, texts: bool) -> Markup:
        """The decision beside the table. `texts`: with what the bot was sent, and what it wrote to standard error."""
        return draw(self.game, "replay/drawn/decision.html", step=step, replay=self, texts=texts)

    def moves(self, this: Round, at: int | None = None) -> MoveList:
        """The moves of a round. `at`: the ply at which their list is marked."""
        return moves(self.game, self.seen, self.heard, this, self.seats, self.href, at)

    def draw_moves(self, found: MoveList) -> Markup:
        return draw(self.game, "replay/drawn/moves.html", moves=found, seats=self.seats)

    def page(self, ply: int, files: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The context of a page at one position."""
        result = self.events[-1] if self.events[-1]["event"] == "result" else None
        won = self.game.ending(self.events)
        this, step = self.round_at(ply), self.step(ply)
        listed = self.moves(this, ply)
        return {
            "game": self.game,
            "replay": self,
            "files": files or {},
            "seats": self.seats,
            "round": this,
            "step": step,
            "moves": listed,
            "drawn": {
                "position": self.draw_position(step),
                "decision": self.draw_decision(step, texts=True),
                "moves": self.draw_moves(listed),
            },
            "result": result,
            "won": won,
            "won_by": self.seats[result["winner"]] if result and won else None,
        }


def build_replay(replay: Replay, ply: str | int | None, files: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The context of `templates/replay/_replay.html`: one game at one position.

    `ply` may be what somebody typed: nonsense falls back to the first deal. `files`: from where the page fetches more.
    """
    return replay.page(replay.clamp(None if ply is None else str(ply)), files)
