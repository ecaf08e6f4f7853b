"""A casual game as it is played: one thread of the server, from the first card, or from where it was, to the record."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from datetime import timedelta
from random import Random
from threading import Event as Signal
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from contest.broadcast.publish import Broadcast
from games import referee
from games.engine import Action, Event, Fault, FaultKind, Game, Options, Seat, Setting, State
from games.format import dumps, printable
from games.participants import Decided, Decision
from games.players import PROTOCOLS, HousePlayer, Seated
from games.programs import GRACE
from games.resume import Forced, follow
from submissions import build
from submissions.sandbox import Limits
from tournaments.casual import moves
from tournaments.casual.limits import PACES
from tournaments.casual.tables import stand_in
from tournaments.models import CasualGame, CasualMove, CasualSeat

logger = logging.getLogger(__name__)

BREATH = timedelta(seconds=2)
"""Between decisions of the house for somebody whose time ran out: they may be back in a moment."""


class Stopped(Exception):
    """The server ends, or the table was abandoned. Another server goes on from the rows."""


class Sitting:
    """One game in progress. `news` is set whenever something may have changed, `ended` when it must stop."""

    def __init__(self, game: CasualGame, news: Signal, ended: Callable[[], bool]) -> None:
        self.game = game
        self.rules = game.game
        self.news = news
        self.ended = ended
        self.number = 0  # decisions that are rows
        self.state: State | None = None
        self.head = self._head()
        self.broadcast = Broadcast(game.channel, self.head, after=0)
        self.players: list[SeatPlayer] = []
        self.open: tuple[Seat, dict[str, Any]] | None = None  # the question that waits for a person

    def play(self) -> None:
        """Play to the end, and write the record. Raises Stopped, or what went wrong with the machinery."""
        game = self.game
        if game.notes:  # of a server that is gone
            self._note({})
        kept = list(game.moves.all())
        self.number = len(kept)
        with ExitStack() as stack:
            seats = list(game.seats.select_related("submission__team__contest", "submission__artifact"))
            past = moves.decided(game, kept, len(seats))
            self.players = [SeatPlayer(self, seat, past[seat.index], stack) for seat in seats]
            seated = [Seated(player.seat.name, player.seat.bot, player) for player in self.players]
            follows = follow(player.player for player in self.players)

            def start(state: State) -> None:
                self.state = state
                follows(state)

            how = moves.arguments(game)
            match = referee.play(
                self.rules, seated, seed=game.seed, on_start=start, on_event=self.broadcast.tell, **how
            )
        self._finish(match.record)

    def check(self) -> None:
        if self.ended():
            raise Stopped

    def _head(self) -> dict[str, Any]:
        """The head of the record without its seed, which nobody may know before the end."""
        game = self.game
        return {
            "format": 1,
            "game": game.game_slug,
            "rules": game.preset,
            "seed": 0,
            "options": game.options,
            "seats": [{"name": seat.name, "bot": seat.bot} for seat in game.seats.all()],
        }

    def look_at_names(self) -> None:
        """Whoever has deleted their account is nobody from now on, also in what was told before."""
        head = self._head()
        if head == self.head:
            return
        self.head = head
        self.broadcast.tell_anew(head)
        for player in self.players:
            player.look_who_is_here()
        if self.open is not None:
            self.tell_question(*self.open)

    def tell_question(self, seat: Seat, question: dict[str, Any]) -> None:
        """Ask a person, and let the others see how long they may take."""
        self.open, times = (seat, question), moves.clock(self.game)
        self.broadcast.note(seat, "question", question | times)
        self.broadcast.note(None, "clock", {"seat": seat, "at": len(self.broadcast.events), **times})

    def _note(self, notes: dict[str, Any]) -> None:
        self.game.notes = notes
        CasualGame.objects.playing().filter(pk=self.game.pk).update(notes=notes)

    def _differing(self) -> dict[str, Any]:
        """By seat, where a version would have decided otherwise than it had: the house plays in its place."""
        return {
            f"{player.index}": {"place": differs.place, "text": differs.text}
            for player in self.players
            if (differs := player.differs) is not None
        }

    def tell_of_the_house(self, seat: CasualSeat, text: str) -> None:
        """A version that has lost its seat: say so at the table, now and to whoever loads the page later."""
        self._note({"differs": self._differing()})
        why = f"In the past of this game {seat.name} {text}. It has left, and the house plays on."
        self.broadcast.note(None, "replaced", {"seat": seat.index, "text": why})

    @transaction.atomic
    def _finish(self, record: dict[str, Any]) -> None:
        game = self.game
        for seat in game.seats.all():  # whoever has deleted their account since has another name
            record["seats"][seat.index]["name"] = seat.name
        notes = {
            "differs": self._differing(),
            "house": {
                f"{seat}": CasualMove.objects.filter(game=game, seat=seat, by=CasualMove.By.HOUSE).count()
                for seat in {move.seat for move in CasualMove.objects.filter(game=game, by=CasualMove.By.HOUSE)}
            },
        }
        done = CasualGame.objects.playing().filter(pk=game.pk)
        values = game.keep(dumps(record)) | {"result": record["result"], "notes": notes, "due_at": None}
        if done.update(state=CasualGame.State.OVER, ended_at=timezone.now(), asked=0, asked_seat=None, **values):
            CasualMove.objects.filter(game=game).delete()
        transaction.on_commit(self.close)

    def close(self) -> None:
        """Tell the followers that it is over."""
        self.broadcast.__exit__(None, None, None)


class SeatPlayer:
    """A participant at the table: what its player decides becomes a row first, and then an event."""

    def __init__(self, sitting: Sitting, seat: CasualSeat, past: Sequence[Event], stack: ExitStack) -> None:
        self.sitting = sitting
        self.index = seat.index
        self.is_person = seat.is_person
        self.seat = seat
        self.forced = len(past)
        self.player = self._player(past, stack)
        self.debug = self.player.debug
        self.heard: list[Event] = []

    def _player(self, past: Sequence[Event], stack: ExitStack) -> Forced:
        game, rules = self.sitting.game, self.sitting.rules
        house = HousePlayer(rules.house_player(self.seat.house or stand_in(rules)))
        if self.seat.kind != CasualSeat.Kind.VERSION or self.seat.submission is None:
            return Forced(house, past)
        limits = Limits(memory_bytes=game.limits["memory_mb"] * build.MEGABYTE)
        program = stack.enter_context(build.open_bot(self.seat.submission, limits))
        speaker = PROTOCOLS[rules.protocol](program, startup=game.limits["startup_seconds"])
        return Forced(speaker, past, ask=True, instead=house)

    @property
    def differs(self) -> Any:
        return self.player.differs

    def introduce(self, game: Game) -> str:
        """People and versions keep the name that they have at this table."""
        return ""

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        self.heard = []
        self.player.begin(game, seat, options, random, setting)

    def tell(self, event: Event) -> None:
        self.heard.append(event)
        self.player.tell(event)

    def decide(self, legal: Callable[[], Sequence[Action]], place: int) -> Decided:
        if self.forced:
            self.forced -= 1
            agreed = self.differs is None
            try:
                return self.player.decide(legal, place)
            finally:
                if agreed and self.differs is not None:
                    self.sitting.tell_of_the_house(self.seat, self.differs.text)
        self.sitting.check()
        number = self.sitting.number + 1
        move = self._asked(number) if self.is_person else None
        if move is None:
            by = CasualMove.By.HOUSE if self.is_person else CasualMove.By.PLAYER
            event = self._decided(legal, place)
            move = moves.store(self.sitting.game, number, self.index, event, by)
        self.sitting.number = number
        return self._as_decision(move.decided)

    def _decided(self, legal: Callable[[], Sequence[Action]], place: int) -> Event:
        """Ask the player, and return its decision or its fault as an event."""
        state = self.sitting.state
        assert state is not None
        try:
            action, ms, cpu_ms, answer, _ = self.player.decide(legal, place)
            if not state.is_legal(action):
                raise Fault(FaultKind.ILLEGAL, state.objection(action), answer)
        except Fault as fault:
            event: Event = {"event": "fault", "seat": self.index, "kind": str(fault.kind)}
            event["detail"] = printable(fault.detail)
            return event if fault.answer is None else event | {"answer": referee.readable(fault.answer)}
        event = state.event(action) | {"ms": ms}
        return event if cpu_ms is None else event | {"cpu_ms": round(cpu_ms, 3)}

    def _as_decision(self, event: Event) -> Decision:
        if event["event"] == "fault":
            raise Fault(FaultKind(event["kind"]), event["detail"], event.get("answer"))
        return Decision(self.sitting.rules.action(event), event["ms"], event.get("cpu_ms"))

    # A person ---------------------------------------------------------------------------------------------------------

    def _asked(self, number: int) -> CasualMove | None:
        """Ask the person, and wait for their decision. None: the house decides for them."""
        self._look()
        if self.seat.left_at is not None and self.seat.away:
            self._wait(BREATH)
            self._look()
        if not self.seat.is_here:
            return self._made(number)
        self._ask(number)
        move = None
        while move is None and self.seat.is_here:
            if self.sitting.game.left_ms() == 0 and not self._made(number):
                self._time_is_up()
                break
            self._wait(timedelta(milliseconds=self.sitting.game.left_ms() or 0))
            self.sitting.check()
            move = self._made(number)
            if move is None:
                self._look()
        self.sitting.open = None
        if move is not None:
            self._charge(move)
        return move

    def _look(self) -> None:
        self.look_who_is_here()
        self.sitting.look_at_names()

    def look_who_is_here(self) -> None:
        was = self.seat.left_at
        self.seat.refresh_from_db(fields=["key", "left_at", "away", "bank_ms"])
        self.sitting.game.refresh_from_db(fields=["due_at"])
        if (was is None) != (self.seat.left_at is None):
            name = "back" if self.seat.left_at is None else "left"
            self.sitting.broadcast.note(None, name, {"seat": self.index})

    def _made(self, number: int) -> CasualMove | None:
        return CasualMove.objects.filter(game=self.sitting.game, number=number).first()

    def _wait(self, length: timedelta) -> None:
        connection.close()  # hundreds of people think, and a database has fewer connections
        self.sitting.news.wait(length.total_seconds())
        self.sitting.news.clear()

    def _ask(self, number: int) -> None:
        game, now = self.sitting.game, timezone.now()
        limit, _ = PACES[game.pace]
        game.asked, game.asked_seat, game.asked_at = number, self.index, now
        game.due_at = now + limit + timedelta(milliseconds=self.seat.bank_ms)
        game.save(update_fields=["asked", "asked_seat", "asked_at", "due_at"])
        state = self.sitting.state
        assert state is not None
        self.sitting.tell_question(self.index, moves.question(game, state, self.heard, number))

    def _charge(self, move: CasualMove) -> None:
        """Take what a decision took beyond its limit from the reserve."""
        limit, _ = PACES[self.sitting.game.pace]
        over = round(move.decided["ms"] - 1000 * limit.total_seconds())
        if over > 0 and self.seat.bank_ms:
            self.seat.bank_ms = max(0, self.seat.bank_ms - over)
            self.seat.save(update_fields=["bank_ms"])

    def _time_is_up(self) -> None:
        values = {"left_at": timezone.now(), "away": True, "bank_ms": 0}
        CasualSeat.objects.filter(pk=self.seat.pk, left_at=None).update(**values)
        self._look()

    # What is passed on ------------------------------------------------------------------------------------------------

    def flush(self) -> None:
        self.player.flush()

    def listen(self, place: int) -> None:
        self.player.listen(place)

    def settle(self, place: int) -> float:
        return self.player.settle(place)

    def finish(self) -> None:
        self.player.finish()

    def close(self, place: int, grace: float = GRACE) -> None:
        self.player.close(place, grace)
