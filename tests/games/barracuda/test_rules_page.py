"""The rules page of Barracuda is true: its examples are what the wire sends and accepts."""

from __future__ import annotations

import json
import re

from games.barracuda import GAME
from games.barracuda.wire import JsonWire, greeting, refusal
from games.engine import FaultKind, Setting
from games.frames import read_object
from games.kits import kit_names
from games.server.door import UNKNOWN
from games.toolchains import RECIPES
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


def test_every_response_fault_house_player_and_kit_is_named() -> None:
    for word in ("play_card", "offer_challenge", "accept_challenge", "reject_challenge", "hand_done", "trick_tied"):
        assert word in PAGE
    assert re.findall(r"^- `(\w+)`: .*", PAGE[PAGE.index("seven faults") :], re.M)[:7] == list(map(str, FaultKind))
    assert re.findall(r"^- `house:(\w+)`", PAGE, re.M) == [house.name for house in GAME.house]
    for language in kit_names(GAME)[:-1]:
        assert RECIPES[language].title in PAGE


def test_the_fields_of_the_state_are_all_explained() -> None:
    wire = JsonWire(0, GAME.options(), Setting.of(2))
    for event in [*deal(start(), "12 9 8 8 1", "13 8 6 4 1"), {"event": "play", "seat": 1, "card": 13}]:
        wire.tell(event)
    state = json.loads(wire.request(1, 1))["state"]
    assert {f"state.{key}" for key in state} == set(re.findall(r"`(state\.\w+)`", PAGE))


def test_the_numbers_of_the_preset_are_on_the_page() -> None:
    options = GAME.options()
    for text in (
        f"{options['games_to_win']} games",
        f"{options['lead']} games ahead",
        f"{options['clock']} seconds",
        f"{1000 * options['bonus']:.0f} milliseconds",
        f"first {options['bonus_moves']} accepted answers",
        f"{GAME.presets[0].memory_mb} MB",
    ):
        assert text in PAGE, text
