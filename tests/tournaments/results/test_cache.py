"""Values computed once for many readers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from tournaments.results.cache import Cache

PATIENCE = 60.0  # for what must happen; no test waits that long


def test_of_many_who_ask_at_once_one_does_the_work() -> None:
    cache: Cache[int] = Cache(4)
    working, go = Event(), Event()
    reads: list[str] = []

    def slow() -> int:
        reads.append("slow")
        working.set()
        assert go.wait(PATIENCE)
        return 1

    with ThreadPoolExecutor(3) as readers:
        first = readers.submit(cache.get, "a", slow)
        assert working.wait(PATIENCE)
        others = [readers.submit(cache.get, "a", slow) for _ in range(2)]
        assert cache.get("b", lambda: 2) == 2, "who asks for something else does not wait"
        assert not first.done()
        go.set()
        assert [each.result(PATIENCE) for each in (first, *others)] == [1, 1, 1]
    assert reads == ["slow"]


def test_work_that_fails_is_done_by_the_next_one() -> None:
    cache: Cache[int] = Cache(4)

    def fail() -> int:
        raise LookupError("no such plan")

    with pytest.raises(LookupError):
        cache.get("a", fail)
    assert cache.get("a", lambda: 1) == 1
