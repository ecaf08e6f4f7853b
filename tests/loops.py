"""An event loop for a test."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def run(scene: Coroutine[Any, Any, object]) -> None:
    """Runs it in a thread of its own: once a test has used a browser, this thread has the browser's event loop."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, scene).result()
