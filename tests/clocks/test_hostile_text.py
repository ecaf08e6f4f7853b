"""What contestants send is read in a time that follows from its length, whatever it is."""

from __future__ import annotations

import time

import pytest

from contest.server.logs import scrubbed
from games import explaining
from tests.games import test_archives, test_entries, test_explaining


@pytest.mark.parametrize("bomb", test_archives.BOMBS)
def test_a_bomb_costs_no_more_than_its_limits(bomb: str) -> None:
    name, make = test_archives.BOMBS[bomb]
    data = make()
    started = time.process_time()
    assert test_archives.refusal(name, data)
    assert time.process_time() - started < 10, "seconds of a processor"


@pytest.mark.parametrize("text", test_entries.LONG, ids=lambda text: text[:7])
def test_sources_are_read_in_linear_time(text: str) -> None:
    started = time.process_time()
    test_entries.read_in_every_language(text)
    assert time.process_time() - started < 5


@pytest.mark.parametrize("language", sorted(explaining.READERS))
def test_no_complaint_takes_long_to_read(language: str) -> None:
    for text in test_explaining.NASTY:
        begun = time.process_time()
        explaining.build(language, text, {"bot.py": "shark.py"})
        explaining.crash(language, text, {"bot.py": "shark.py"})
        assert time.process_time() - begun < 2, text[:40]


def seconds(text: str) -> float:
    """Of processor, the best of three."""
    taken = []
    for _ in range(3):
        began = time.thread_time()
        scrubbed(text)
        taken.append(time.thread_time() - began)
    return min(taken)


@pytest.mark.parametrize("piece", ["a+", "a://:", "a://b:", "code ", "token=", "bearer\t", "/watch/", "kbz_"])
def test_no_line_takes_long(piece: str) -> None:
    """Strangers choose much of what is logged, such as a Host header of 8 kB. Four times the text would take 16 times
    as long if each place were compared with each other."""
    short = piece * (15_000 // len(piece))
    assert seconds(short * 4) < 10 * seconds(short) + 0.1
