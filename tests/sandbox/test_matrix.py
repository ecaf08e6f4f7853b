"""The matrix of attacks, as much of it as fits into a run of the suite, and that it would notice a breach."""

from __future__ import annotations

from collections import Counter, defaultdict

from submissions.languages import LANGUAGES
from tests.sandbox.matrix.attacks import Attack, compile_script, load
from tests.sandbox.matrix.cell import BREACHED, HELD, IMPOSSIBLE, RAW, UNEXPECTED
from tests.sandbox.matrix.honest import tally_of
from tests.sandbox.matrix.places import PLACES
from tests.sandbox.matrix.run import Matrix, driver_of, sample
from tests.sandbox.matrix.table import summary
from tests.sandbox.matrix.witness import Witness
from tests.sandbox.sandboxes import STRENUOUS, needs_jail

ATTACKS = load()
HONEST_RUNS = 20
"""Of each language at each level. `python -m tests.sandbox.matrix --honest 1000` makes a thousand."""

ANY_CALL = defaultdict(int)
"""Numbers of calls; the headers of a machine may lack some."""


# The data


def test_every_attack_can_be_tried_and_says_all_about_itself() -> None:
    with Witness() as witness:
        words = witness.words(0) | {"over": 1 << 20, "much": 1 << 20, "library": "/usr/bin/x"}
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


# A sample of it


@needs_jail
def test_no_attack_of_the_sample_succeeds() -> None:
    matrix = Matrix()
    wanted = sample(matrix.places, matrix.languages, ATTACKS)
    tried = Counter((place, slug) for place, cells in wanted.items() for _, slug in cells)
    assert all(tried[place, slug] for place in matrix.places for slug in matrix.languages)
    results = matrix.run(wanted)
    text = summary(matrix, results, details=True)
    print(text)
    assert {name for _, name, _ in results} >= {
        name for name, attack in ATTACKS.items() if any(attack.script(raw=slug in RAW) for slug in matrix.languages)
    }
    assert not [cell for cell in results.values() if cell.result in (BREACHED, UNEXPECTED)], text


@needs_jail
def test_nobody_is_accused_of_hard_work_at_any_level() -> None:
    matrix = Matrix()
    tally = tally_of(matrix.places, HONEST_RUNS, [slug for slug in matrix.languages if slug in QUICK], players=False)
    assert sum(count for count, _ in tally.values()) >= HONEST_RUNS
    assert [wrong for _, accusations in tally.values() for wrong in accusations] == []


QUICK = ("c", "cpp", "pascal", "go", "rust", "haskell", "perl", "python", "lua", "tcl")
"""The others take a minute or more; tests/submissions/test_languages.py has them at this machine's level."""
