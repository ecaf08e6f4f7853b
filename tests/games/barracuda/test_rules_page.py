"""The rules page of Barracuda is true: its examples are what the wire sends and accepts."""

from __future__ import annotations

import json
import re

from games.barracuda import GAME
from games.barracuda.wire import JsonWire, greeting, refusal
from games.engine import Setting
from games.frames import read_object
from games.server.door import UNKNOWN
from tests.games.barracuda.table import deal, play, start

PAGE = GAME.rules_text()
BLOCKS = [block.splitlines() for block in re.findall(r"```text\n(.*?)```", PAGE, re.S)]


def test_the_hand_on_the_page_is_what_the_wire_sends_and_takes() -> None:
    (lines,) = (block for block in BLOCKS if len(block) > 20)
    wire = JsonWire(0, GAME.options(), Setting.of(2))
    state = start()
    found: list[str] = []
    events = [{"event": "game", "number": 1, "leader": 0}, *deal(state, "12 9 8 8 1", "13 8 6 4 1")]
    answers = iter([line for line in lines if line.startswith("< ")])
    theirs = iter(["13", "8", "!", "6", "4", "1"])
    while state.turn != -2:
        for event in events:
            wire.tell(event)
        if state.turn == 0:
            text, _ = wire.question()
            found += [f"> {line}" for line in text.decode().splitlines()]
            line = next(answers)
            found.append(line)
            action = wire.answer(read_object(line[2:].encode()), json.loads(line[2:])["request_id"], line.encode())
            events = play(state, {"accept": "yes"}.get(str(action), str(action)))
        else:
            events = play(state, next(theirs))
    for event in [*events, state.result()]:
        wire.tell(event)
    found += [f"> {line}" for line in wire.farewell().decode().splitlines()]
    assert found == lines


def test_the_request_of_the_seed_is_on_the_page() -> None:
    (request, answer) = next(block for block in BLOCKS if '"remaining":2.35' in block[0])
    wire = JsonWire(0, GAME.options(), Setting((11, 25), 2, number=912, match=404))
    wire.tell({"event": "game", "number": 912, "leader": 0})
    for event in deal(start(), "12 9 8 8 1", "2 2 2 2 2"):
        wire.tell(event)
    assert wire.request(17, 2.35).decode() == request[2:]
    assert wire.answer(json.loads(answer[2:]), 17, b"") == 9


def test_the_greeting_and_the_refusal_are_on_the_page() -> None:
    assert [f"> {greeting(11).decode()}"] in BLOCKS
    (block,) = (block for block in BLOCKS if "seen_host" in block[0])
    beginning = block[0][2:].partition(" ...")[0]
    assert refusal("10.2.88.12", UNKNOWN).decode().startswith(beginning)
