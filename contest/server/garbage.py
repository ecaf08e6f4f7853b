"""How often a process that lives long looks for garbage in circles of objects.

By itself, Python does so after every 700 new objects, and looks through everything there is after 70,000. A page about
2,000 matches makes more, and two thirds of its time went into looking for what was not there.
"""

from __future__ import annotations

import gc

OBJECTS = 5_000


def look_seldom() -> None:
    """Call once, when everything is loaded: code and settings are never looked through again. What a process has made
    since still is, at the latest when it has grown by a quarter, so memory stays bounded."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS, 10, 10)
