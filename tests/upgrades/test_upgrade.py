"""A database played by the code of commit 1f12f86 is migrated, and the present code says the same about every contest.

old/make.py made `played.sqlite3.xz` and `played.json.xz`, the latter with what that code said. reading.py and
present.py read a contest, crawling.py selects the pages.
"""

from __future__ import annotations

import json
import lzma
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime
from math import isclose
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.utils import ConnectionHandler

from contest.models import Contest
from tests.upgrades import crawling, present, reading
from tournaments import formats
from tournaments.models import Stage
from tournaments.results import replay

HERE = Path(__file__).parent
TOLD: dict[str, dict[str, Any]] = json.loads(lzma.decompress((HERE / "played.json.xz").read_bytes()))
PLACES = 3  # pages of each kind to request, spread over the contests

# Intended changes by new rules ----------------------------------------------------------------------------------------

Expected = dict[str, Any]
Rule = Callable[[str, Expected], None]


def the_matches_of_a_review_are_replaced_at_once(slug: str, expected: Expected) -> None:
    """One ledger entry covers them now; each had its own time before, some milliseconds apart."""
    for match in expected["matches"].values():
        if match["voided_at"]:
            match["voided_at"] = datetime.fromisoformat(match["voided_at"]).replace(microsecond=0).isoformat()


def stages_seen(expected: Expected) -> Iterator[tuple[str, str, Expected]]:
    """(reader, number, what the reader sees) of every stage."""
    for reader in ("owner", "public"):
        for number, stage in expected[reader]["stages"].items():
            yield reader, number, stage


def whoever_has_left_has_no_rank(slug: str, expected: Expected) -> None:
    """In every format, not by rating alone."""
    for _, _, stage in stages_seen(expected):
        for row in stage.get("ranking", ()):
            if row[2]:
                row[1] = None


BRACKETS: dict[str, list[list[int]]] = {
    "8": [[48], [42], [49], [43], [50], [44], [47], [41]],
    "36": [[129], [134], [130], [127, 128, 131, 132]],
    "7": [[34], [36], [37], [35, 38], [39]],
    "9": [[], [52], [53], [54, 55]],
    "1": [[4], [1, 8], [3], [11], [10], [7], [9], [2], [5], [6]],
}
"""By stage the teams by rank: first those that the referee did not disqualify, then by place as played, then by points.
Nobody is first if all were disqualified in the final. Without a freeze the public sees the same."""


def a_bracket_is_ranked_by_the_places_as_played(slug: str, expected: Expected) -> None:
    """tournaments/formats/single_elimination.py: house players and departed teams lift nobody."""
    for reader, number, stage in stages_seen(expected):
        order = BRACKETS.get(number) if reader == "owner" or slug != "frozen" else None
        if order is None:
            continue
        ranks, rank = {}, 1
        for teams in order:
            ranks |= dict.fromkeys(teams, rank)
            rank += max(1, len(teams))
        for row in stage["ranking"]:
            row[1] = ranks.get(row[0])
        listed = [team for teams in order for team in teams]
        stage["ranking"].sort(key=lambda row: listed.index(row[0]) if row[0] in listed else len(listed))


PLACES_AS_PLAYED = {
    ("8", "Round 1, table 1"): [46, 47, 41],
    ("36", "Quarter-final 2"): [133, 128],
    ("7", "Quarter-final 1"): [33, 40],
}


def places_stay_when_somebody_leaves_later(slug: str, expected: Expected) -> None:
    """The teams of a table once included those that have left, at the end."""
    for reader, number, stage in stages_seen(expected):
        for table in stage.get("tables") or ():
            places = PLACES_AS_PLAYED.get((number, table[2]), [])
            if sorted(table[5]) == sorted(places) and (reader == "owner" or slug != "frozen"):
                table[5] = places


def the_match_for_third_place_counts_as_the_semi_final_round(slug: str, expected: Expected) -> None:
    for _, _, stage in stages_seen(expected):
        third = {team for table in stage.get("tables") or () if table[2] == "Third place" for team in table[4]}
        for row in stage.get("ranking", ()) if third else ():
            row[3] -= row[0] in third


CHAMPIONS = {("ladder", "owner"): [93, 19], ("ladder", "public"): [93, 19], ("frozen", "owner"): [128, 37]}
"""A side league was started last; a ladder beside the final continues."""


def the_deciding_stage_makes_the_champion(slug: str, expected: Expected) -> None:
    """tournaments/results/deciding.py: the end of the chain of stages, not the stage that was started last."""
    for reader in ("owner", "public"):
        expected[reader]["champion"] = CHAMPIONS.get((slug, reader), expected[reader]["champion"])


def the_state_of_a_running_stage_has_another_name(slug: str, expected: Expected) -> None:
    for _, _, stage in stages_seen(expected):
        if stage["state_name"] == "Being played":
            stage["state_name"] = "In progress"


def there_is_no_margin_below_four_units(slug: str, expected: Expected) -> None:
    """tournaments/formats/confidence.py: for programs as for pages. A match is a unit, or four on the same deals."""
    least = 16 if slug == "deals" else 4
    for reader in ("owner", "public"):
        for row in expected[reader]["standings"]:
            if row[2] < least:
                row[9] = None
    for _, _, stage in stages_seen(expected):
        for row in stage.get("ranking", ()):
            told = next((each for each in row if isinstance(each, list) and len(each) == 8), None)
            if told and told[0] < least:
                told[7] = None


RULES: list[Rule] = [
    there_is_no_margin_below_four_units,
    the_state_of_a_running_stage_has_another_name,
    the_matches_of_a_review_are_replaced_at_once,
    whoever_has_left_has_no_rank,
    a_bracket_is_ranked_by_the_places_as_played,
    places_stay_when_somebody_leaves_later,
    the_match_for_third_place_counts_as_the_semi_final_round,
    the_deciding_stage_makes_the_champion,
]
"""Rules that have changed since commit 1f12f86. Each changes what is expected of a contest, in place, given its slug.

Name the function after the rule, say where the rule stands, and change as little as possible, computed from the rest
of what is expected where that can be done:

    def a_shared_first_place_is_no_win(slug: str, expected: Expected) -> None:
        \"\"\"Whoever shares the first place has tied.\"\"\"
        for row in expected["owner"]["standings"]: …

    RULES: list[Rule] = [a_shared_first_place_is_no_win]

Pages stand in `expected["pages"][reader]`, by address, with the status of their answer.
"""


MOVED = {"/desk/trail/": "/desk/audit-log/"}
"""Pages whose address has changed: the ends of the old and the new address."""


def expected_of(slug: str) -> Expected:
    expected: Expected = json.loads(json.dumps(TOLD[slug]))
    for reader in ("owner", "public"):
        for stage in expected[reader]["stages"].values():
            del stage["withholds"]  # how a reading was computed then, which nobody saw
    for rule in RULES:
        rule(slug, expected)
    return expected


# The database ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def upgraded(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The old database, migrated, is the database of this module's tests, whatever the others have."""
    file = tmp_path_factory.mktemp("upgrade") / "played.sqlite3"
    file.write_bytes(lzma.decompress((HERE / "played.sqlite3.xz").read_bytes()))
    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file), "OPTIONS": settings.SQLITE_OPTIONS}
    with django_db_blocker.unblock():
        ours = connections[DEFAULT_DB_ALIAS]
        connections[DEFAULT_DB_ALIAS] = ConnectionHandler({DEFAULT_DB_ALIAS: database})[DEFAULT_DB_ALIAS]
        try:
            call_command("migrate", verbosity=0)
            yield
        finally:
            connection.close()
            connections[DEFAULT_DB_ALIAS] = ours


@pytest.fixture(params=TOLD)
def contest(request: pytest.FixtureRequest) -> Contest:
    return Contest.objects.get(slug=request.param)


# The tests ------------------------------------------------------------------------------------------------------------


def test_every_contest_is_there() -> None:
    assert sorted(Contest.objects.values_list("slug", flat=True)) == sorted(TOLD)


def test_the_present_code_says_the_same(contest: Contest) -> None:
    """Results, ratings and rankings to the bit, averages nearly so, and what the public sees of them."""
    expected, said = expected_of(contest.slug), json.loads(json.dumps(reading.read(contest, present)))
    del expected["pages"]
    assert list(differing(expected, said)) == []


def test_what_is_stored_agrees_with_the_ledger(contest: Contest) -> None:
    assert list(replay.differences(contest)) == []


@pytest.mark.parametrize("lost", ["what is as usual", "all"])
def test_options_that_a_release_did_not_know_are_completed(contest: Contest, lost: str) -> None:
    """A stage stored before an option existed was a page with status 500 once: KeyError."""
    clients = crawling.readers(contest)
    for stage in contest.stages.all():
        before = dict(stage.options)
        usual = formats.complete(stage.format, {}, contest.game)
        usual = {name: it for name, it in usual.items() if name not in formats.MINIMAL.get(stage.format, {})}
        kept = {} if lost == "all" else {name: it for name, it in before.items() if usual.get(name, "?") != it}
        Stage.objects.filter(pk=stage.pk).update(options=kept)
        try:
            now = Stage.objects.get(pk=stage.pk).options
            assert now.keys() >= before.keys()
            assert lost == "all" or now == before
            if lost != "all":
                for page in (f"/c/{contest.slug}/stages/{stage.pk}/", f"/c/{contest.slug}/desk/stages/{stage.pk}/"):
                    assert crawling.status(clients["owner"], page) in (200, 302, 404), page
        finally:
            Stage.objects.filter(pk=stage.pk).update(options=before)


@pytest.mark.parametrize("reader", ["stranger", "owner"])
def test_every_page_answers_as_before(reader: str) -> None:
    clients = {}
    wrong = []
    for slug, page, status in pages_asked(reader):
        if slug not in clients:
            clients[slug] = crawling.readers(Contest.objects.get(slug=slug))[reader]
        if (found := crawling.status(clients[slug], page)) != status:
            wrong.append(f"{page}: {status} then, {found} now")
    assert wrong == []


def pages_asked(reader: str) -> Iterator[tuple[str, str, int]]:
    """(contest, page, status): of all pages with the same address apart from numbers, and the same status, a few from
    as many contests as possible."""
    kinds: dict[tuple[str, int], list[tuple[str, str, int]]] = defaultdict(list)
    for slug in TOLD:
        for page, status in expected_of(slug)["pages"][reader].items():
            for old, new in MOVED.items():
                page = f"{page.removesuffix(old)}{new}" if page.endswith(old) else page
            shape = re.sub(r"\d+", "0", page.replace(f"/{slug}/", "/"))
            kinds[shape, status].append((slug, page, status))
    for alike in kinds.values():
        apart = max(1, len(alike) // PLACES)
        yield from alike[::apart][:PLACES]


# The last digits of these once depended on the order of results.
AVERAGES = re.compile(r"/(tallies/\d+/\d+|standings/\d+/[4589]|ranking/\d+/6/[2367])$")


def differing(expected: Any, said: Any, where: str = "") -> Iterator[str]:
    """Where two values differ, and how, for readable failures."""
    if isinstance(expected, dict) and isinstance(said, dict):
        for key in [*expected, *(key for key in said if key not in expected)]:
            if key not in said or key not in expected:
                yield f"{where}/{key} is only {'expected' if key in expected else 'said'}"
            else:
                yield from differing(expected[key], said[key], f"{where}/{key}")
    elif isinstance(expected, list) and isinstance(said, list) and len(expected) == len(said):
        for at, (one, other) in enumerate(zip(expected, said, strict=True)):
            yield from differing(one, other, f"{where}/{at}")
    elif expected != said and (expected, said) != (0, "0.0"):  # a sum of no points was a whole number in one place
        if AVERAGES.search(where) and isclose(float(expected), float(said), abs_tol=1e-6):
            return
        yield f"{where}: expected {expected!r}, not {said!r}"
