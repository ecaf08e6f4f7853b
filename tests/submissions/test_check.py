"""The deals and the opponents of a check. test_process.py has real checks, test_verdict.py what is told of them."""

from __future__ import annotations

from collections.abc import Callable

from submissions import check
from submissions.models import Submission
from tests.cast import Cast

Uploader = Callable[..., Submission]


def test_the_deals_of_a_check_are_the_same_when_it_is_repeated(upload: Uploader) -> None:
    first, second = upload(b"a = 1\n"), upload(b"a = 2\n")
    seeds = [check.seed_of(version, seat) for version in (first, second) for seat in range(4)]
    assert len(set(seeds)) == 8
    assert [check.seed_of(first, seat) for seat in range(4)] == seeds[:4]
    assert all(0 <= seed < 2**31 for seed in seeds)


def test_every_strength_of_house_bot_is_met_in_a_check(cast: Cast, upload: Uploader) -> None:
    version = upload()
    met = [check.opponents(version, seat) for seat in range(4)]
    assert all(len(table) == 3 for table in met)
    assert {it.name for table in met for it in table} == {it.name for it in cast.contest.game.house}
