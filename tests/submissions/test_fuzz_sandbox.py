"""Fuzzers of the wires between a worker, process 1 and bots. A bot cannot write to the first of them, but what it does
ends up in its records: paths, addresses and output of any bytes."""

from __future__ import annotations

import os
from contextlib import suppress
from random import Random

import pytest

from games.programs import ExitStatus
from submissions.languages import LANGUAGES
from submissions.sandbox import Jail, Limits, wire
from submissions.sandbox.native import native
from submissions.sandbox.recipe import MEGABYTE
from tests.fuzzing import fuzz, mutated
from tests.sandbox.sandboxes import artifact, hear, needs_jail, nothing_left

pytestmark = [pytest.mark.fuzz, pytest.mark.long("fuzz")]


# What a bot does, as its record tells it

RANDOM_CALLS = r"""
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
/* Makes the calls whose numbers and arguments it reads: NUMBER A B C D E F, where `p` is a page of random bytes. */
static char page[4096];
static long argument(void)
{
    char word[64];
    if (scanf("%60s", word) != 1) exit(0);
    return *word == 'p' ? (long)page : strtol(word, NULL, 10);
}
int main(void)
{
    if (fread(page, 1, sizeof page, stdin) != sizeof page) return 1;
    for (;;) {
        long a[7];
        for (int i = 0; i < 7; i++) a[i] = argument();
        syscall(a[0], a[1], a[2], a[3], a[4], a[5], a[6]);
    }
}
"""


@needs_jail
def test_no_call_with_any_arguments_breaks_a_jail() -> None:
    """Random calls, such as fuzzers of kernels make: the bot may end in any way, but its end is told, nothing is left,
    and the jail goes on."""
    program = artifact("c", RANDOM_CALLS)
    numbers = sorted({*native().numbers.values(), 335, 424, 451, 500, 1 << 30, (1 << 30) + 2, -1})
    never = {native().numbers.get(name) for name in ("pause", "exit", "exit_group")}
    numbers = [number for number in numbers if number not in never]
    usual = (0, 1, 2, 3, 4, 7, 9, 64, 900, 4096, -1, -100, 0x1000, 0x5111, 1 << 31, 1 << 32, 0x4B6962697000)

    with Jail.open(program, LANGUAGES["c"], Limits(memory_bytes=8 * MEGABYTE)) as jail:

        def attempt(random: Random) -> None:
            words = []
            for _ in range(random.randrange(1, 40)):
                arguments = ["p" if random.random() < 0.4 else f"{random.choice(usual)}" for _ in range(6)]
                words.append(" ".join([f"{random.choice(numbers)}", *arguments]))
            page = mutated(random, b"/etc/passwd\0/box/x\0%s%n\0" + random.randbytes(4070), 3)[:4096].ljust(4096, b"\0")
            with nothing_left():
                process = jail.start()
                with suppress(BrokenPipeError):
                    os.write(process.stdin, page + "\n".join(words).encode() + b"\n")
                process.close_input()
                hear(process, 0.3)
                end = process.stop(0.0)
            assert isinstance(end.status, ExitStatus)
            end.fault().detail.encode()  # what a record will hold

        fuzz(attempt, attempts=150)
        assert jail.start().stop(60.0).status is ExitStatus.EXITED


@needs_jail
def test_no_path_of_a_violation_spoils_a_record() -> None:
    source = r"""
        #include <fcntl.h>
        #include <stdio.h>
        int main(void) {
            static char path[5000];
            path[fread(path, 1, sizeof path - 1, stdin)] = 0;
            return open(path, O_RDWR | O_CREAT, 0600) >= 0;
        }"""
    with Jail.open(artifact("c", source), LANGUAGES["c"], Limits(memory_bytes=4 * MEGABYTE)) as jail:

        def attempt(random: Random) -> None:
            path = mutated(random, random.choice((b"/etc/passwd", b"../../x", b"/box/\xff\xfe", b"%s%n", b"a" * 4095)))
            answer = jail.ask(path, seconds=60.0)
            assert answer.exit.status in (ExitStatus.VIOLATION, ExitStatus.EXITED), answer
            if answer.exit.status is ExitStatus.VIOLATION:
                assert answer.exit.call in ("open", "openat")
                assert "\0" not in answer.exit.path
                answer.exit.fault().detail.encode()

        fuzz(attempt, attempts=150)


@needs_jail
def test_no_output_spoils_an_answer() -> None:
    """A process for every question: any bytes come back as they were written, up to the limit."""
    source = r"""
        #include <unistd.h>
        int main(void) {
            static char all[70000];
            long n, size = 0;
            while ((n = read(0, all + size, sizeof all - size)) > 0) size += n;
            for (long done = 0; done < size; done += n) if ((n = write(1, all + done, size - done)) < 0) return 1;
            return 0;
        }"""
    with Jail.open(artifact("c", source), LANGUAGES["c"], Limits(memory_bytes=4 * MEGABYTE)) as jail:

        def attempt(random: Random) -> None:
            data = mutated(random, random.randbytes(random.choice((0, 1, 100, 5000, 60_000))))[: wire.STREAM_MOST]
            most = random.choice((1, 100, 5000, wire.STREAM_MOST))
            answer = jail.ask(data, seconds=60.0, output_bytes=most)
            if len(data) <= most:
                assert (answer.exit.status, answer.output) == (ExitStatus.EXITED, data)
            else:
                assert (answer.exit.status, answer.output) == (ExitStatus.OUTPUT, data[:most])

        fuzz(attempt, attempts=150)
