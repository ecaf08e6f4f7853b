"""Guessing addresses. Without a role in a contest nobody learns anything about its hidden games: every page stays the
same, to the letter, whatever the games are and however an entry played them. Strangers cannot tell that a private
contest exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest
from django.utils import timezone

from contest.models import Contest
from tests.cast import make_user
from tests.film_reader import film_addresses
from tests.tournaments.courtroom import SECRETS, Courtroom
from tests.tournaments.visitors import addresses, seen
from tournaments.models import BotLog, Match, MatchSeat, Record, Stage
from tournaments.results import tallies

pytestmark = [pytest.mark.promise, pytest.mark.django_db]

OTHERS = {"hidden": "5 313131\n9 454545\n11 939393\n8 515151\n", "draw": 9, "draw_seed": 77}


def places(hall: Courtroom, match: Match) -> list[str]:
    """All addresses about a run that can be guessed; game 3 is the first hidden one."""
    values: dict[str, Sequence[object]] = {
        "slug": [hall.contest.slug],
        "team": [hall.teams[0].pk],
        "team_id": [hall.teams[0].pk],
        "stage_id": [hall.stage.pk],
        "match_id": [match.pk],
        "game": [2, 3],
        "number": [1],
        "name": [hall.contest.game.log_name, "te.log"],
    }
    return [
        # Judging a run again writes a second result into the ledger; see api/test_ledger.py.
        *(address for address in addresses(values) if not address.endswith("/ledger")),
        *(f"/m/{match.pk}/2/?ply={ply}" for ply in (0, 5, 10_000)),
        f"/m/{match.pk}/?rev=0",
        f"{hall.stage.get_absolute_url()}?rev=0",
        *(f"/c/{hall.contest.slug}/matches/?{asked}" for asked in ("faults=true", "state=done", "o=finished_at")),
    ]


def judge_again(hall: Courtroom, match: Match, how: str) -> None:
    """As if the hidden games had always been others, and more, and judging had taken an hour."""
    options = hall.stage.played_in.options(OTHERS, hall.contest.game)
    Stage.objects.filter(pk=hall.stage.pk).update(options=options)
    openings = hall.stage.played_in.openings(options, hall.contest.game)
    before = Contest.objects.get(pk=hall.contest.pk)
    Record.objects.filter(match=match).delete()
    BotLog.objects.filter(seat__match=match).delete()
    MatchSeat.objects.filter(match=match).update(verdict="", score=None, place=None)
    Match.objects.filter(pk=match.pk).update(
        state=Match.State.QUEUED, attempt=0, openings=openings, seed=5, games=0, finished_at=None
    )
    hall.judge(how)
    tallies.add_up(hall.stage)
    later = timezone.now() + timedelta(hours=1)
    Match.objects.filter(pk=match.pk).update(finished_at=later, worker="other")
    Contest.objects.filter(pk=hall.contest.pk).update(revision=before.revision, public_revision=before.public_revision)


@pytest.mark.parametrize(
    ("who", "how"),
    [
        ("member", "late"),
        ("member", "right"),
        ("stranger", "late"),
    ],
)
@pytest.mark.long("worlds")  # kinds/test_judged.py has the small sibling
def test_every_page_is_the_same_whatever_the_hidden_games_are(
    monkeypatch: pytest.MonkeyPatch, who: str, how: str
) -> None:
    hall = Courtroom(2).start()
    now = timezone.now()
    hall.send(hall.teams[0], minutes=12)
    match = hall.judge(how)
    verdict = "correct" if how == "right" else "incorrect output"
    assert match.seats.get().verdict == verdict
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(minutes=5))
    user = hall.teams[0].people()[0].user if who == "member" else None
    asked, secret = (
        places(hall, match),
        [f"/m/{match.pk}/record.json", f"/m/{match.pk}/match.zip", f"/m/{match.pk}/3/", f"/m/{match.pk}/"],
    )
    opened = seen([f"/m/{match.pk}/{game}/" for game in (1, 2)], user)
    asked += [
        it for _, page in opened.values() for part in ("film", "asked") for it in film_addresses(page, part).values()
    ]
    before, organisers = seen(asked, user), seen(secret, hall.ada)
    judge_again(hall, match, how)
    assert match.seats.get().verdict == verdict
    after = seen(asked, user)
    assert [address for address in asked if after[address] != before[address]] == []
    assert sum(status == 200 for status, _ in after.values()) > 15
    told = seen(secret, hall.ada)
    assert all(told[address] != organisers[address] for address in secret), "else this test tries nothing"


@pytest.mark.parametrize(
    ("account", "ended"), [(False, False), pytest.param(True, True, marks=pytest.mark.long("worlds"))]
)
def test_no_address_of_a_private_contest_tells_a_stranger_anything(account: bool, ended: bool) -> None:
    hall = Courtroom(1).start()
    hall.send(hall.teams[0])
    match = hall.judge()
    over = timezone.now() - timedelta(minutes=1) if ended else None
    Contest.objects.filter(pk=hall.contest.pk).update(visibility=Contest.Visibility.PRIVATE, ended_at=over)
    stranger = make_user("zoe") if account else None
    inside = [it for it in places(hall, match) if it.startswith((f"/c/{hall.contest.slug}/", f"/m/{match.pk}/"))]
    found = seen(inside, stranger)
    assert len(found) > 80
    assert {status for status, _ in found.values()} <= {404, 405}
    for address, (_, text) in found.items():
        assert not any(name in text for name in (hall.contest.name, "Team 0", "Problem A", *SECRETS)), address
    assert sum(status == 200 for status, _ in seen(inside, hall.teams[0].people()[0].user).values()) > 15
