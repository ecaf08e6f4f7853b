"""A parlour: tables with people, the real casual server as a process, and people who decide something."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from django.utils import timezone

from games import get
from tests.conftest import ROOT
from tests.waiting import wait_for
from tournaments.casual import moves, tables
from tournaments.casual.limits import PACES, Who
from tournaments.casual.sitting import Sitting
from tournaments.casual.tables import Place, Wish
from tournaments.models import CasualGame, CasualSeat, Duty

Kind = CasualSeat.Kind
SHORT: dict[str, dict[str, Any]] = {
    "tricky_eights": {"target": 30},
    "hearts": {"target": 20},
    "barracuda": {"target": 2},
}


def wish(game: str = "intensity", people: Sequence[int] = (0,), house: str = "", **values: Any) -> Wish:
    """A short game with people in these seats, and house players in the others."""
    rules = get(game)
    house = house or rules.house[0].name
    places = [
        Place(Kind.PERSON) if index in people else Place(Kind.HOUSE, house=house) for index in range(rules.seats[1])
    ]
    values = {"options": rules.options(SHORT.get(game, {})), "preset": rules.preset().name} | values
    return Wish(rules, places=places, seat=people[0], **values)


def table(game: str = "intensity", who: Who | None = None, **values: Any) -> tuple[CasualGame, CasualSeat]:
    return tables.set_up(wish(game, **values), who or Who())


class ServerProcess:
    """`manage.py casualserver`."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        self.log = log
        with log.open("ab") as errors:
            command = [sys.executable, "manage.py", "casualserver"]
            self.process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=errors, stderr=errors)
        on_duty = Duty.objects.filter(name="casualserver", worker__endswith=f":{self.process.pid}")
        try:
            wait_for(on_duty.exists, self.output, 180)
        except AssertionError:
            self.kill()
            raise

    def output(self) -> str:
        return self.log.read_text(errors="replace")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        assert self.process.wait(60) == 0, self.output()


def asked(game: CasualGame) -> CasualSeat | None:
    """The seat whose decision the server waits for."""
    game.refresh_from_db()
    if not game.is_playing or not game.asked or game.moves.count() + 1 != game.asked:
        return None
    return game.seats.get(index=game.asked_seat)


def wait_until_asked(game: CasualGame) -> CasualSeat | None:
    """Wait until somebody must decide, or the game is over (None)."""
    wait_for(lambda: asked(game) is not None or CasualGame.objects.get(pk=game.pk).is_over)
    return asked(game)


def decide(game: CasualGame, seat: CasualSeat, random: Random) -> dict[str, Any]:
    """Decide as the browser does: any of the legal answers."""
    question = moves.open_question(game, seat)
    assert question is not None
    data = any_answer(question, random)
    moves.answer(game, seat, question["number"], data)
    return data


def any_answer(question: dict[str, Any], random: Random) -> dict[str, Any]:
    answers: list[dict[str, Any]] = [{"answer": index} for index in range(len(question["answers"]))]
    if question["choose"]:
        answers.append({"cards": random.sample(question["cards"], question["choose"])})
    return random.choice(answers)


def play_to_the_end(game: CasualGame, random: Random | None = None) -> None:
    """Everybody who is asked answers."""
    random = random or Random(1)
    while (seat := wait_until_asked(game)) is not None:
        decide(game, seat, random)
    game.refresh_from_db()


# Without a server -----------------------------------------------------------------------------------------------------


def ask(game: CasualGame, random: Random | None = None) -> None:
    """Let the house decide until it is a person's turn, and ask them, as the server does."""
    random = random or Random(1)
    people = {seat.index for seat in game.seats.all() if seat.is_person}
    while not (now := moves.stand(game)).over and now.state.turn not in people:
        event = now.state.event(random.choice(now.state.legal())) | {"ms": 0.5}
        moves.store(game, game.moves.count() + 1, now.state.turn, event)
    at = timezone.now()
    game.asked, game.asked_seat = (0, None) if now.over else (game.moves.count() + 1, now.state.turn)
    game.asked_at, game.due_at = at, at + PACES[game.pace][0]
    game.save()


def finish(game: CasualGame, random: Random | None = None) -> None:
    """Play to the end with whatever is legal, in this thread, by the sitting that the server uses."""
    random = random or Random(1)
    now = moves.stand(game)
    while not now.over:
        event = now.state.event(random.choice(now.state.legal())) | {"ms": 0.5}
        moves.store(game, game.moves.count() + 1, now.state.turn, event)
        now = moves.stand(game)
    Sitting(game, threading.Event(), lambda: False).play()
    game.refresh_from_db()
    assert game.state == CasualGame.State.OVER
