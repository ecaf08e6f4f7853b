"""What changed, in words, for each entry of the audit log.

`Act.data` holds what the action needs: `changes` {name: [before, after]}, `settings` {name: value} and `said`
[sentences]; or `before` and `after`, each a value, a list or a dict; and ids of the objects, which no page shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.utils import timezone

from contest.models import Act, Team
from contest.models.moments import within_range

LABELS = {
    **{state.value: state.label.lower() for state in Team.State},
    "queued": "queued",
    "running": "in progress",
    "done": "played",  # matches
    "": "–",
    "None": "–",
}


def details(act: Act) -> list[str]:
    """One line for each change; none if the action says it all."""
    return [*_changes(act.data), *_before_and_after(act.data), *_others(act.data)]


def _changes(data: dict[str, Any]) -> Iterator[str]:
    for name, value in _dict(data.get("changes")).items():
        before, after = value if isinstance(value, list) and len(value) == 2 else ("", value)
        yield f"{name.replace('_', ' ')}: {word(before)} → {word(after)}"
    for name, value in _dict(data.get("settings")).items():
        yield f"{name}: {word(value)}"
    yield from (str(sentence) for sentence in data.get("said") or [])


def _before_and_after(data: dict[str, Any]) -> Iterator[str]:
    before, after = data.get("before"), data.get("after")
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys([*before, *after]):
            if before.get(name) != after.get(name):
                yield f"{name}: {word(before.get(name))} → {word(after.get(name))}"
    elif after is not None:
        yield f"{word(before)} → {word(after)}"
    elif before not in (None, "", []) and not isinstance(before, dict):
        yield f"Before: {word(before)}"


def _others(data: dict[str, Any]) -> Iterator[str]:
    if was := data.get("was"):
        yield f"Before: {word(was)}"
    if role := data.get("role"):
        yield f"Role: {role}"
    if left_out := data.get("left_out"):
        yield f"{len(left_out)} team{'s' if len(left_out) > 1 else ''} left out"
    if isinstance(at := data.get("at"), str):
        yield f"From {word(at)}"
    if taken := data.get("taken"):
        yield f"Copied: {word(taken)}"
    if (to_all := data.get("to_all")) is not None:
        yield "For everyone" if to_all else "For the team only"


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def word(value: Any) -> str:
    """A value in words."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(word(each) for each in value) or "–"
    if isinstance(value, dict):
        return "; ".join(f"{name}: {word(each)}" for name, each in value.items()) or "–"
    text = str(value)
    if text in LABELS:
        return LABELS[text]
    try:
        moment = datetime.fromisoformat(text) if len(text) > 15 else None
    except ValueError:
        moment = None
    return f"{timezone.localtime(within_range(moment)):%a %d %b %Y, %H:%M %Z}" if moment and moment.tzinfo else text
