"""What honest bots use from their library."""

import array
import asyncio
import bisect
import collections
import concurrent.futures
import contextlib
import copy
import ctypes
import dataclasses
import datetime
import enum
import functools
import getpass
import hashlib
import heapq
import itertools
import json
import locale
import logging
import math
import multiprocessing
import operator
import os
import pathlib
import pickle
import platform
import queue
import random
import re
import secrets
import signal
import socket
import sqlite3
import statistics
import string
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import typing
import unittest
import urllib.request
import uuid
import zoneinfo

try:
    import numpy
except ImportError:
    numpy = None


@dataclasses.dataclass(order=True)
class Card:
    value: int
    suit: str = dataclasses.field(compare=False, default="d")


class Suit(enum.Enum):
    DIAMONDS = "d"


logging.basicConfig(stream=sys.stderr, level=logging.DEBUG)
logging.getLogger("bot").info("%s on %s", platform.python_version(), platform.system())
locale.setlocale(locale.LC_ALL, "")
random.seed()
deck = [Card(value) for value in range(13)]
random.shuffle(deck)
assert sorted(deck)[0] == min(deck, key=operator.attrgetter("value")) == Card(0)
counts = collections.Counter(card.suit for card in deck)
assert collections.defaultdict(int, counts)["d"] == 13
assert json.loads(json.dumps({"a": [1, 2.5, None]}))["a"] == [1, 2.5, None]
assert re.fullmatch(r"[cdhs]\w", "dk")
assert math.isclose(statistics.fmean([1, 2]), 1.5)
assert len(list(itertools.permutations("abc"))) == math.factorial(3)
assert heapq.nsmallest(1, [3, 2])[0] == 2
assert pickle.loads(pickle.dumps(copy.deepcopy(deck))) == deck
assert len(hashlib.sha256(secrets.token_bytes(8)).hexdigest()) == 64
assert datetime.datetime.now().year > 2000
assert time.localtime().tm_year > 2000
assert time.monotonic() <= time.perf_counter() + 1e9
assert uuid.uuid4() != uuid.uuid4()
assert asyncio.run(asyncio.sleep(0, 7)) == 7
assert not pathlib.Path("weights.bin").exists()
assert os.path.basename(__file__) == "bot.py"
assert os.cpu_count()
assert os.getpid() > 0
assert sqlite3.sqlite_version
with contextlib.suppress(OSError):
    open("weights.json")
with contextlib.suppress(RuntimeError):  # one process is one thread here
    thread = threading.Thread(target=print, args=("threaded",), kwargs={"file": sys.stderr})
    thread.start()
    thread.join()
with contextlib.suppress(zoneinfo.ZoneInfoNotFoundError):
    zoneinfo.ZoneInfo("Europe/Nowhere")
try:
    raise ValueError("an error on purpose")
except ValueError:
    traceback.print_exc()
signal.signal(signal.SIGTERM, signal.SIG_DFL)


@functools.lru_cache
def fibonacci(n: int) -> int:
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


assert fibonacci(30) == 832040
for line in sys.stdin:
    line.strip().split()
time.sleep(0.001)
print("ok", flush=True)
