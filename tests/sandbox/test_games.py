"""Whole games by jailed bots: the kits' random players in every language with a kit, through the real referee."""

from __future__ import annotations

from contextlib import ExitStack

import games
from games.players import ProcessPlayer, Seated
from games.programs import pinned
from games.referee import play
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, Limits, build
from tests.sandbox.sandboxes import MEGABYTE, needs, needs_jail, nothing_left

pytestmark = needs_jail

RANDOM = {"c": "random.c", "cpp": "random.cpp", "pascal": "random.pas", "python": "random_player.py"}
CHEAT = b"""
#include <cstdio>
#include "acm98.h"
void StartGame() {}
void StartRound() {}
Card TakeCard() { fopen("cheat.txt", "w"); return GAME.pool[0]; }
void EndTakes() {}
Card PlayCard() { return GAME.hand[0]; }
void EndRound() {}
"""


def entry(slug: str, source: bytes | None = None) -> bytes:
    game = games.get("tricky_eights")
    language = needs(slug)
    kit = game.folder / "kit"
    support = {name: (kit / name).read_bytes() for name in game.kit_sources[slug]}
    result = build(language, source or (kit / RANDOM[slug]).read_bytes(), RANDOM[slug], support)
    assert result.artifact is not None, result.log
    return result.artifact


def match(entries: dict[str, bytes]) -> dict:
    game = games.get("tricky_eights")
    with nothing_left(), pinned(), ExitStack() as stack:  # as a worker plays
        seats = []
        for name, artifact in entries.items():
            slug = name.split()[0]
            language = LANGUAGES[slug]
            limits = Limits(memory_bytes=max(4 * MEGABYTE, language.memory_floor))
            jail = stack.enter_context(Jail.open(artifact, language, limits))
            seats.append(Seated(name, RANDOM[slug], ProcessPlayer(jail)))
        options = game.options({"target": 75})
        return play(game, seats, seed=1211, options=options, preset=game.preset().name).record


def test_the_kits_play_a_whole_game_in_the_least_memory_without_a_fault() -> None:
    record = match({slug: entry(slug) for slug in RANDOM})
    assert [event for event in record["events"] if event["event"] == "fault"] == []
    assert record["result"]["disqualified"] == []
    assert max(record["result"]["scores"]) >= 75


def test_the_processor_time_of_a_bot_that_thinks_is_in_the_record() -> None:
    think = b"#include <ctime>\nstatic void think() { clock_t end = clock() + 5000; while (clock() < end); }\n"  # 5 ms
    source = (games.get("tricky_eights").folder / "kit" / RANDOM["cpp"]).read_bytes()
    thinker = entry("cpp", think + source.replace(b"    return GAME.pool", b"    think();\n    return GAME.pool"))
    random = entry("c")
    record = match({"cpp thinks": thinker, "c one": random, "c two": random, "c three": random})
    takes = [event for event in record["events"] if (event["event"], event.get("seat")) == ("take", 0)]
    assert [event.get("cpu_ms", 0) >= 4.9 for event in takes[2:]] == [True] * (len(takes) - 2)
    assert len(takes) > 10


def test_a_cheat_is_disqualified_by_name_and_the_others_play_on() -> None:
    random = entry("c")
    record = match({"c one": random, "cpp cheat": entry("cpp", CHEAT), "c two": random, "c three": random})
    (fault,) = [event for event in record["events"] if event["event"] == "fault"]
    assert (fault["seat"], fault["kind"], fault["detail"]) == (1, "violation", "openat /box/cheat.txt")
    assert record["result"]["disqualified"] == [1]
    assert record["result"]["places"][1] == 4
