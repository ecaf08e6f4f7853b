"""Values computed once for many readers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from tournaments.results.cache import Memory

PATIENCE = 30.0  # for what must happen; no test waits that long


def test_of_many_who_ask_at_once_one_does_the_work() -> None:
    memory: Memory[int] = Memory(4)
    working, go = Event(), Event()
    reads: list[str] = []

    def slow() -> int:
        reads.append("slow")
        working.set()
        assert go.wait(PATIENCE)
        return 1

    with ThreadPoolExecutor(3) as readers:
        first = readers.submit(memory.get, "a", slow)
        assert working.wait(PATIENCE)
        others = [readers.submit(memory.get, "a", slow) for _ in range(2)]
        assert memory.get("b", lambda: 2) == 2, "who asks for something else does not wait"
        assert not first.done()
        go.set()
        assert [each.result(PATIENCE) for each in (first, *others)] == [1, 1, 1]
    assert reads == ["slow"]


def test_work_that_fails_is_done_by_the_next_one() -> None:
    memory: Memory[int] = Memory(4)

    def fail() -> int:
        raise LookupError("no such plan")

    with pytest.raises(LookupError):
        memory.get("a", fail)
    assert memory.get("a", lambda: 1) == 1


def test_what_was_asked_for_last_stays() -> None:
    memory: Memory[int] = Memory(2)
    for key in ("a", "b", "a", "c"):
        memory.get(key, lambda: 1)
    assert len(memory) == 2
    assert [memory.get(key, lambda: 2) for key in ("a", "c", "b")] == [1, 1, 2]
    memory.clear()
    assert len(memory) == 0
