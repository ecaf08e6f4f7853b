"""Bots that attack the referee instead of the machine: whole games by jailed programs against the house.

Whatever they do with their three streams, the game ends, the fault is the right one, and the worker survives.
"""

from __future__ import annotations

import pytest

import games
from games.players import HousePlayer, ProcessPlayer, Seated
from games.referee import play
from submissions.sandbox import walls
from submissions.sandbox.walls import Walls
from tests.sandbox.sandboxes import jail, needs_jail, needs_namespaces, nothing_left, play_hello
from tests.waiting import wait_for

pytestmark = needs_jail

BOT = """
    #define _GNU_SOURCE
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <time.h>
    #include <unistd.h>
    #include <pthread.h>
    static void say(const char *text, size_t size) { while (size) { ssize_t n = write(1, text, size);
        if (n <= 0) _exit(9); text += n; size -= (size_t)n; } }
    static void *burn(void *it) { for (volatile int i = 0;; i++) ; return it; }
    int main(void) {
        static char line[4096];
        START
        while (fgets(line, sizeof line, stdin))
            if (!strncmp(line, "take", 4)) { ANSWER }
        END
    }"""

FAULTS = {
    "silence": ("pause();", "timeout", "did not answer in time"),
    "a busy loop": ("burn(0);", "timeout", "did not answer in time"),
    "stopping itself": ("raise(SIGSTOP);", "timeout", "did not answer in time"),
    "a line of 10 MB": ("static char fat[1 << 20]; memset(fat, 'x', sizeof fat);"
                        " for (int i = 0; i < 10; i++) say(fat, sizeof fat);", "output", "wrote more than 65536 bytes"),
    "closing all and living on": ("close(0); close(1); close(2); for (;;) pause();", "crash", "closed its output"),
    "closing its input": ("close(0); for (;;) pause();", "timeout", "did not answer in time"),
    "too many threads": ("pthread_t t; if (pthread_create(&t, 0, burn, 0)) abort();",
                         "crash", "was ended by signal 6 after it was refused a thread"),
    "a flood of complaints": ("for (;;) write(2, line, sizeof line);", "timeout", "did not answer in time"),
}  # fmt: skip


def match(start: str = "", answer: str = "", end: str = "return 0;", **limits: int) -> dict:
    """The record of a game with that bot as North."""
    game = games.get("tricky_eights")
    house = game.house[0]
    source = BOT.replace("START", start).replace("ANSWER", answer).replace("END", end)
    with nothing_left(), jail("c", source, **limits) as place:
        seats = [Seated("Nasty", "nasty.c", ProcessPlayer(place))]
        seats += [Seated(f"House {number}", f"house:{house.name}", HousePlayer(house)) for number in range(3)]
        options = game.options({"target": 30, "time_limit": 0.3})
        return play(game, seats, seed=7, options=options, preset=game.preset().name).record


def faults(record: dict) -> list[dict]:
    return [event for event in record["events"] if event["event"] == "fault"]


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_it_loses_by_the_right_fault_and_nobody_waits(name: str) -> None:
    answer, kind, detail = FAULTS[name]
    record = match(answer=answer)
    fault = faults(record)[0]
    assert (fault["seat"], fault["kind"]) == (0, kind), fault
    assert detail in fault["detail"]
    assert record["result"]["disqualified"] == [0]
    assert max(record["result"]["scores"]) >= 30
    play_hello()


def test_thinking_while_others_move_is_seen_on_its_clock() -> None:
    """A thread that burns time in the background: the clock covers all threads, all the time."""
    with jail("c", BOT.replace("START", "pthread_t t; pthread_create(&t, 0, burn, 0);").replace("ANSWER", "").replace(
        "END", "return 0;"), processes=2) as place:  # fmt: skip
        process = place.start()
        wait_for(lambda: (process.cpu_seconds() or 0.0) > 0.01, lambda: "its second thread is not on the clock")
        process.stop(0)
    record = match(start="pthread_t t; if (pthread_create(&t, 0, burn, 0)) return 3;")
    detail = "exited with status 3 without an answer after it was refused a thread"
    assert detail in faults(record)[0]["detail"], "one process means one thread"
    play_hello()


@pytest.mark.parametrize("wall", [pytest.param(Walls.NAMESPACES, marks=needs_namespaces), Walls.LANDLOCK])
def test_what_a_bot_says_does_not_name_folders_of_the_host(wall: Walls, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walls, "are", lambda: wall)
    game = games.get("tricky_eights")
    others = [Seated(f"House {number}", "house", HousePlayer(game.house[0])) for number in range(3)]
    source = "import traceback\ntry: 1 / 0\nexcept: traceback.print_exc()\nprint(__file__, flush=True)"
    with jail("python", source) as place:
        seats = [Seated("Nasty", "nasty.py", ProcessPlayer(place)), *others]
        options, preset = game.options({"target": 30}), game.preset().name
        played = play(game, seats, seed=7, options=options, preset=preset)
    assert faults(played.record)[0]["answer"].startswith("/box/")
    assert 'File "/box/' in "".join(piece.text for piece in played.debug[0])
