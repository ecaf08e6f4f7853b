"""What was worked out last in this process, and is the same for everybody who asks for it until its key is another."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Memory(Generic[T]):
    """The values that were asked for last. Nobody may change what stands here.

    Of many who ask for a new one at once, one does the work and the others wait for what he got. Who asks for
    something else waits for nobody.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._turns: dict[Hashable, Lock] = {}
        self._lock = Lock()  # held for moments only

    def get(self, key: Hashable, read: Callable[[], T]) -> T:
        """The value of `key`, from `read` where it is not known. What `read` raises is raised."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            turn = self._turns.setdefault(key, Lock())
        with turn:
            with self._lock:
                if key in self._kept:
                    return self._kept[key]
            try:
                value = read()
                with self._lock:
                    self._kept[key] = value
                    while len(self._kept) > self.most:
                        self._kept.popitem(last=False)
                return value
            finally:
                with self._lock:
                    self._turns.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)
