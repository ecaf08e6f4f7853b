"""The audit log in words."""

from __future__ import annotations

import pytest

from contest import audit_log
from contest.models import Act


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        ({}, []),
        ({"team": 3, "match": 7, "before": None}, []),
        ({"changes": {"memory": [64, 128], "sanitize": [False, True]}}, ["memory: 64 → 128", "sanitize: no → yes"]),
        ({"settings": {"games": 4, "house": ["random", "careful"]}}, ["games: 4", "house: random, careful"]),
        ({"said": ["12 matches of Cup replaced"]}, ["12 matches of Cup replaced"]),
        ({"before": "approved"}, ["Before: taking part"]),
        ({"before": ["Aces", "MIT"]}, ["Before: Aces, MIT"]),
        ({"before": {"Aces": None, "Clubs": 2}, "after": {"Aces": 1, "Clubs": 2}}, ["Aces: – → 1"]),
        ({"before": "", "after": "192.0.2.1"}, ["– → 192.0.2.1"]),
        ({"was": "done"}, ["Before: played"]),
        ({"left_out": [1, 2]}, ["2 teams left out"]),
        ({"role": "judge", "before": "owner"}, ["Before: owner", "Role: judge"]),
        ({"at": "2026-11-20T18:00:00+00:00"}, ["From Fri 20 Nov 2026, 18:00 UTC"]),
        ({"to_all": False}, ["For the team only"]),
        ({"changes": "nonsense", "settings": None, "said": None}, []),
    ],
)
def test_what_was_changed(data, lines):
    assert audit_log.details(Act(verb="x", data=data)) == lines
