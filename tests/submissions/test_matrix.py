"""The matrix of attacks, as much of it as fits into a run of the suite, and that it would notice a breach."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from submissions.languages import LANGUAGES
from tests.submissions.matrix.attacks import Attack, compile_script, load
from tests.submissions.matrix.cell import BREACHED, HELD, IMPOSSIBLE, RAW, UNEXPECTED
from tests.submissions.matrix.places import PLACES
from tests.submissions.matrix.run import Matrix, driver_of
from tests.submissions.matrix.witness import Witness
from tests.submissions.sandboxes import STRENUOUS, needs_jail

ATTACKS = load()
HONEST_RUNS = 30
"""Of each language at each level. `python -m tests.submissions.matrix --honest 1000` makes a thousand."""


WORDS = [
    "secret",
    "missing",
    "link",
    "folder",
    "drop",
    "stream",
    "datagram",
    "abstract",
    "abstract_size",
    "tcp",
    "udp",
    "token",
    "name",
    "worker",
    "victim",
    "over",
    "much",
    "library",
]
ANY_CALL = defaultdict(int)
"""Numbers of calls; the headers of a machine may lack some."""


# The data


def test_every_attack_can_be_tried_and_says_all_about_itself() -> None:
    words = dict.fromkeys(WORDS, "7")
    for attack in ATTACKS.values():
        assert attack.tries.endswith("."), attack.name
        assert attack.source, attack.name
        assert attack.breach, attack.name
        assert attack.expect, attack.name
        assert attack.where in ("same", "neighbour"), attack.name
        assert attack.calls or attack.deeds, attack.name
        for raw in (True, False):
            for later in (True, False):
                if text := attack.script(raw=raw, later=later):
                    assert compile_script(text, words, ANY_CALL, raw=raw).lines, attack.name


def test_every_language_has_a_driver() -> None:
    for slug in LANGUAGES:
        driver = driver_of(slug)
        assert slug == "scala" or (driver is not None and driver.exists()), slug
        assert slug in STRENUOUS, slug
    assert set(RAW) < set(LANGUAGES)


def test_every_place_exists_or_says_why_not() -> None:
    assert len(PLACES) == 18
    for place in PLACES:
        if place.level == "full" and place.groups == "none":
            assert "limits" in place.impossible
        if place.level == "limits" and place.groups == "none":
            assert place.impossible in ("", "this process is not root")


# It notices


@needs_jail
@pytest.mark.sandbox
def test_a_breach_is_noticed() -> None:
    """An attack that reads what it may read, says the secret that it was given, and lives on."""
    place = next(place for place in PLACES if not place.impossible)
    notes = {
        "says the secret": Attack("says the secret", "x", "", "", "", ("harmless",), calls='write 1 "{token}\\n" 17'),
        "succeeds": Attack("succeeds", "x", "", "", "", ("harmless",), calls="! getpid"),
        "differs": Attack("differs", "x", "", "", "", ("harmless",), calls="= getpid\n= getuid"),
        "lives": Attack("lives", "x", "", "", "", ("harmless",), calls="getpid", outlives=True),
        "ends otherwise": Attack("ends otherwise", "x", "", "", "", ("memory",), calls="getpid"),
        "is nothing": Attack("is nothing", "x", "", "", "", ("harmless",), deeds="burn 1"),
        "is fine": Attack("is fine", "x", "", "", "", ("harmless",), calls="! openat -100 0 0"),
    }
    found = Matrix([place], ["c"]).run({place: [(name, "c") for name in notes]}, more=notes)
    results = {name: cell.result for (_, name, _), cell in found.items()}
    breached = dict.fromkeys(("says the secret", "succeeds", "differs", "lives"), BREACHED)
    assert results == breached | {"ends otherwise": UNEXPECTED, "is nothing": IMPOSSIBLE, "is fine": HELD}


def test_the_witness_sees_what_happens_outside(tmp_path: Path) -> None:
    with Witness() as witness:
        assert list(witness.sees(b"")) == []
        (witness.drop / "new").write_text("x")
        assert list(witness.sees(b"")) == ["files of the host were changed"]
        victim = witness.victim(0)
        victim.kill()
        victim.wait()
        assert list(witness.sees(witness.token.encode())) == ["it said the secret", "the victim was killed"]
        assert list(witness.sees(b"")) == []
