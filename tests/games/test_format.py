"""The form of a record: bytes that never change, and input that is refused."""

import json
from typing import Any

import pytest

from games.format import RecordError, dumps, dumps_event, loads

RECORD: dict[str, Any] = {
    "format": 1,
    "game": "tricky_eights",
    "rules": "utah-1998",
    "seed": 1211,
    "options": {"target": 300, "time_limit": 4},
    "seats": [{"name": "Ærø “North” High", "bot": "cardshark.cpp"}, *({"name": "B", "bot": "house:random"},) * 3],
    "events": [
        {"event": "take", "seat": 0, "card": "d5", "ms": 0.213, "cpu_ms": 2.0},
        {"event": "play", "seat": 1, "card": "d9", "by": "referee"},
    ],
    "result": {"scores": [301, 220, 180, 149], "places": [1, 2, 3, 4], "disqualified": []},
}


def test_the_canonical_form() -> None:
    assert dumps(RECORD) == (
        '{"format":1,"game":"tricky_eights","rules":"utah-1998","seed":1211,"options":{"target":300,"time_limit":4},'
        '"seats":[{"name":"Ærø “North” High","bot":"cardshark.cpp"},{"name":"B","bot":"house:random"},'
        '{"name":"B","bot":"house:random"},{"name":"B","bot":"house:random"}],'
        '"events":[{"event":"take","seat":0,"card":"d5","ms":0.213,"cpu_ms":2},'
        '{"event":"play","seat":1,"card":"d9","by":"referee"}],'
        '"result":{"scores":[301,220,180,149],"places":[1,2,3,4],"disqualified":[]}}'
    )


def test_the_order_of_keys_does_not_matter() -> None:
    turned = dict(reversed([(key, RECORD[key]) for key in RECORD]))
    turned["events"] = [dict(reversed(list(event.items()))) for event in RECORD["events"]]
    turned["result"] = dict(reversed(list(RECORD["result"].items())))
    assert dumps(turned) == dumps(RECORD)


def test_fields_that_a_later_version_adds_are_kept_behind() -> None:
    assert dumps_event({"event": "trick", "new": 1, "points": 3, "winner": None}) == (
        '{"event":"trick","winner":null,"points":3,"new":1}'
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "has no format"),
        ("{}", "has no format"),
        ('{"format":2}', "format 2"),
        ('{"format":"1"}', "format '1'"),
        ('{"format":1}', "has no game, rules, seed, options, seats, events, result"),
        (b"\xff\xfe\x00", "not JSON"),
    ],
)
def test_what_is_no_record_is_refused(text: str | bytes, complaint: str) -> None:
    with pytest.raises(RecordError, match=complaint):
        loads(text)


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("game", 7, "game of this record is not text"),
        ("seed", "1", "seed of this record is not a whole number"),
        ("seed", True, "seed of this record is not a whole number"),
        ("options", [], "options of this record is not an object"),
        ("seats", {}, "seats of this record is not a list"),
        ("seats", [{"name": "x"}], "seat 0 of this record has no name and bot"),
        ("seats", [3], "seat 0 of this record has no name and bot"),
        ("events", None, "events of this record is not a list"),
        ("events", [{"event": "dance"}], "event 0 of this record is of an unknown kind"),
        ("events", [{"event": ["play"]}], "event 0 of this record is of an unknown kind"),
        ("events", [1], "event 0 of this record is of an unknown kind"),
        ("events", [{"event": "hand", "ms": [1]}], "a time of event 0 of this record is not a number"),
        ("events", [{"event": "play", "late_ms": "1"}], "a time of event 0 of this record is not a number"),
        ("events", [{"event": "hand", "cpu_ms": "1"}], "a time of event 0 of this record is not a number"),
        ("events", [{"event": "result", "cpu_ms": [1.5]}], "a time of event 0 of this record is not a number"),
        ("result", [], "result of this record is not an object"),
    ],
)
def test_wrong_shapes_are_refused(key: str, value: Any, complaint: str) -> None:
    with pytest.raises(RecordError, match=complaint):
        loads(json.dumps({**RECORD, key: value}))


def test_whole_numbers_are_read_as_they_are_written() -> None:
    """Whoever edits a record may write 5.0 for a card; as an index it would be none."""
    record = loads(json.dumps({**RECORD, "options": {"whole": 5.0, "half": 0.5, "small": 1e-320, "large": 1e20}}))
    assert [*map(repr, record["options"].values())] == ["5", "0.5", "1e-320", "100000000000000000000"]
