"""Bots that attack the referee instead of the machine: whole games by jailed programs against the house.

Whatever they do with their three streams, the game ends, the fault is the right one, and the worker survives.
"""

from __future__ import annotations

import pytest

import games
from games.players import HousePlayer, ProcessPlayer, Seated
from games.referee import play
from tests.sandbox.sandboxes import jail, needs_jail, nothing_left, play_hello
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
    "a byte every 100 ms": ("for (;;) { say(\"d\", 1); usleep(100000); }", "timeout", "did not end its line in time"),
    "no newline": ("say(\"dk\", 2); pause();", "timeout", "did not end its line in time"),
    "silence": ("pause();", "timeout", "did not answer in time"),
    "a busy loop": ("burn(0);", "timeout", "did not answer in time"),
    "stopping itself": ("raise(SIGSTOP);", "timeout", "did not answer in time"),
    "NUL bytes": ("say(\"d\\0k\\n\", 4);", "garbled", ""),
    "invalid UTF-8": ("say(\"\\xff\\xfe\\xc3\\x28\\n\", 5);", "garbled", ""),
    "an empty line": ("say(\"\\n\", 1);", "garbled", ""),
    "a line of 10 MB": ("static char fat[1 << 20]; memset(fat, 'x', sizeof fat);"
                        " for (int i = 0; i < 10; i++) say(fat, sizeof fat);", "output", "wrote more than 65536 bytes"),
    "ten thousand newlines": ("for (int i = 0; i < 10000; i++) say(\"\\n\", 1);", "garbled", ""),
    "closing its output and living on": ("close(1); close(2); for (;;) pause();", "crash", "closed its output"),
    "closing all and living on": ("close(0); close(1); close(2); for (;;) pause();", "crash", "closed its output"),
    "leaving politely": ("return 0;", "crash", "exited with status 0"),
    "leaving in the middle of a line": ("say(\"d\", 1); return 0;", "crash", "in the middle of a line"),
    "closing its input": ("close(0); for (;;) pause();", "timeout", "did not answer in time"),
    "a carriage return": ("say(\"\\r\\n\", 2);", "garbled", ""),
    "a number of 5000 digits": ("for (int i = 0; i < 5000; i++) say(\"9\", 1); say(\"\\n\", 1);", "garbled", ""),
    "a form for printf": ("say(\"%s%n%99999d\\n\", 12);", "garbled", ""),
    "colours of a terminal": ("say(\"\\033[31mdk\\033[0m\\n\", 12);", "garbled", ""),
    "half a character of UTF-8": ("say(\"dk\\xe2\\x99\\n\", 5);", "garbled", ""),
    "too many threads": ("pthread_t t; if (pthread_create(&t, 0, burn, 0)) abort();",
                         "crash", "was ended by signal 6 after it was refused a thread"),
    "a signal": ("raise(SIGSEGV);", "crash", "signal 11"),
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


def test_answers_written_ahead_are_played_in_turn_and_end_in_a_fault() -> None:
    """The first ones answer questions that were not asked yet, so they are wrong for all of them."""
    record = match(start='for (int i = 0; i < 1000; i++) say("dk\\n", 3);')
    assert faults(record)[0]["kind"] == "illegal"
    assert record["result"]["disqualified"] == [0]
    play_hello()


def test_who_ignores_the_end_of_its_input_is_ended() -> None:
    record = match(answer='say("zz\\n", 3);', end="for (;;) pause();")
    assert faults(record)[0]["kind"] == "garbled"
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


def test_no_decision_waits_by_polling(monkeypatch: pytest.MonkeyPatch) -> None:
    """`subprocess` with a timeout polls, which takes four times as long as a bot: nothing here does that."""

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("somebody polls")

    source = BOT.replace("START", "").replace("ANSWER", 'say("dk\\n", 3);').replace("END", "return 0;")
    game = games.get("tricky_eights")
    house = game.house[0]
    with jail("c", source) as place:
        seats = [Seated("Bot", "bot.c", ProcessPlayer(place))]
        seats += [Seated(f"House {number}", f"house:{house.name}", HousePlayer(house)) for number in range(3)]
        for name in ("time.sleep", "subprocess.Popen.wait", "subprocess.Popen.__init__"):
            monkeypatch.setattr(name, forbidden)
        options = game.options({"target": 30, "time_limit": 1})
        record = play(game, seats, seed=7, options=options, preset=game.preset().name).record
        assert faults(record)[0]["kind"] == "illegal", "it was asked at least once"
        assert place.ask(b"take\n", seconds=60.0).output == b"dk\n"


def test_a_process_per_question_carries_nothing_over() -> None:
    """Memory, files, descriptors, children, threads: the second process finds nothing of the first."""
    source = """
        #define _GNU_SOURCE
        #include <stdio.h>
        #include <sys/stat.h>
        #include <unistd.h>
        #include <fcntl.h>
        static int before;
        int main(void) {
            int open = 0;
            for (int fd = 3; fd < 64; fd++) open += fcntl(fd, F_GETFD) >= 0;
            printf("%d %d %d %d", before++, open, (int)umask(0), (int)getpgrp() == (int)getppid());
            fflush(stdout); setpgid(0, 0);
            return 0;
        }"""
    with jail("c", source) as place:
        answers = [place.ask(b"", seconds=60.0).output for _ in range(3)]
    assert len(set(answers)) == 1
    assert answers[0].startswith(b"0 0 ")
