"""A small cache of computed values in this process, shared by everybody until their key changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Cache(Generic[T]):
    """The latest values. Callers must not change them.

    If many callers ask for the same new value at once, one computes it and the others wait for the result. Callers who
    ask for another value do not wait.

    `most`: how many values are kept, or how much of `size`. The newest value always stays.
    """

    def __init__(self, most: int, size: Callable[[T], int] = lambda _: 1) -> None:
        self.most = most
        self.size = 0
        self._size_of = size
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._turns: dict[Hashable, Lock] = {}
        self._lock = Lock()  # only held briefly

    def get(self, key: Hashable, read: Callable[[], T]) -> T:
        """Return the value of `key`, computed by `read` if it is not known. Exceptions from `read` pass through."""
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
                    self._keep(key, value)
                return value
            finally:
                with self._lock:
                    self._turns.pop(key, None)

    def _keep(self, key: Hashable, value: T) -> None:
        self._kept[key] = value
        self.size += self._size_of(value)
        while self.size > self.most and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self.size -= self._size_of(oldest)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
            self.size = 0

    def __len__(self) -> int:
        return len(self._kept)
