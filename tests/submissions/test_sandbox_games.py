"""Whole games by jailed bots: the kits' random players, in every language that has a kit, through the real referee."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

import games
from games.players import ProcessPlayer, Seated
from games.referee import play
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, Limits, build
from tests.submissions.sandboxes import MEGABYTE, needs_jail, nothing_left

pytestmark = [needs_jail, pytest.mark.sandbox]

RANDOM = {"c": "random.c", "cpp": "random.cpp", "pascal": "random.pas", "python": "random_player.py"}
CHEAT = b"""
#include <cstdio>
#include <cstring>
int main() {
    char line[4096];
    while (fgets(line, sizeof line, stdin))
        if (!strncmp(line, "take", 4)) fopen("cheat.txt", "w");
}
"""


def entry(slug: str, source: bytes | None = None) -> bytes:
    game = games.get("tricky_eights")
    language = LANGUAGES[slug]
    if not language.installed():
        pytest.skip(f"{language.name} is not installed")
    kit = game.folder / "kit"
    support = {} if source else {name: (kit / name).read_bytes() for name in game.kit_sources[slug]}
    result = build(language, source or (kit / RANDOM[slug]).read_bytes(), RANDOM[slug], support)
    assert result.artifact is not None, result.log
    return result.artifact


def match(entries: dict[str, bytes]) -> dict:
    game = games.get("tricky_eights")
    with nothing_left(), ExitStack() as stack:
        seats = []
        for name, artifact in entries.items():
            slug = name.split()[0]
            jail = stack.enter_context(Jail.open(artifact, LANGUAGES[slug], Limits(memory_bytes=4 * MEGABYTE)))
            seats.append(Seated(name, RANDOM[slug], ProcessPlayer(jail)))
        options = game.options({"target": 75})
        return play(game, seats, seed=1211, options=options, preset=game.preset().name).record


def test_the_kits_play_a_whole_game_in_four_megabytes_without_a_fault() -> None:
    record = match({slug: entry(slug) for slug in RANDOM})
    assert [event for event in record["events"] if event["event"] == "fault"] == []
    assert record["result"]["disqualified"] == []
    assert max(record["result"]["scores"]) >= 75
    decisions = [event for event in record["events"] if event["event"] in ("take", "play")]
    assert all("cpu_ms" in event for event in decisions)


def test_a_cheat_is_disqualified_by_name_and_the_others_play_on() -> None:
    random = entry("c")
    record = match({"c one": random, "cpp cheat": entry("cpp", CHEAT), "c two": random, "c three": random})
    (fault,) = [event for event in record["events"] if event["event"] == "fault"]
    assert (fault["seat"], fault["kind"], fault["detail"]) == (1, "violation", "openat /box/cheat.txt")
    assert record["result"]["disqualified"] == [1]
    assert record["result"]["places"][1] == 4
