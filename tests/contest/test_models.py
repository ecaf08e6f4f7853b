"""Methods of rows, and that queries over many rows agree with them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction

from contest import contests, teams
from contest.models import CODE_ALPHABET, Act, Contest, Membership, Phase, Role, Team, new_code
from tests.cast import Cast, make_cast, make_contest, make_team, make_user

DAY = timedelta(days=1)
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)


def spring(**fields: object) -> Contest:
    """Opens at NOON, entry closes a day later, uploads two days later."""
    days = {"opens_at": NOON, "entry_deadline": NOON + DAY, "upload_deadline": NOON + 2 * DAY}
    return make_contest(**{**days, **fields})  # type: ignore[arg-type]


MOMENTS = [
    (-DAY, Phase.ANNOUNCED, False, False),
    (timedelta(0), Phase.OPEN, True, True),
    (DAY - timedelta(seconds=1), Phase.OPEN, True, True),
    (DAY, Phase.OPEN, False, True),
    (2 * DAY - timedelta(seconds=1), Phase.OPEN, False, True),
    (2 * DAY, Phase.CLOSED, False, False),
    (10 * DAY - timedelta(seconds=1), Phase.CLOSED, False, False),
    (10 * DAY, Phase.ENDED, False, False),
    (11 * DAY, Phase.ENDED, False, False),
]


@pytest.mark.parametrize(("after", "phase", "entry", "uploads"), MOMENTS)
def test_a_contest_goes_through_its_phases(
    db: None, after: timedelta, phase: Phase, entry: bool, uploads: bool
) -> None:
    contest, at = spring(ended_at=NOON + 10 * DAY), NOON + after
    assert (contest.phase(at), contest.entry_open(at), contest.uploads_open(at)) == (phase, entry, uploads)


@pytest.mark.parametrize("ended", [None, NOON + 10 * DAY])
@pytest.mark.parametrize("after", [row[0] for row in MOMENTS])
def test_the_database_agrees_about_the_phase(db: None, after: timedelta, ended: datetime | None) -> None:
    contest, at = spring(ended_at=ended), NOON + after
    found = {phase for phase in Phase if Contest.objects.in_phase(phase, at).filter(pk=contest.pk).exists()}
    assert found == {contest.phase(at)}


def test_lists_show_what_one_may_see_and_each_contest_once(cast: Cast) -> None:
    contests.give_role(cast.contest, cast.ada, cast.alice, Role.Kind.JUDGE)  # a role and a team
    hidden = make_contest(cast.ada, visibility="private")
    Contest.objects.filter(pk=cast.contest.pk).update(visibility="private")
    public = make_contest(make_user())
    visible = lambda user: set(Contest.objects.visible_to(user))  # noqa: E731
    assert visible(AnonymousUser()) == visible(cast.zoe) == {public}
    assert list(Contest.objects.visible_to(cast.alice).order_by("pk")) == [cast.contest, public]
    assert visible(cast.ada) == visible(cast.root) == {public, hidden, cast.contest}


def test_mine(cast: Cast) -> None:
    make_contest(make_user())
    for user, mine in [(AnonymousUser(), 0), (cast.zoe, 0), (cast.alice, 1), (cast.judy, 1), (cast.ada, 1)]:
        assert Contest.objects.mine(user).count() == mine


def test_only_competing_teams_are_counted(cast: Cast) -> None:
    teams.withdraw(cast.clubs, cast.carl)
    empty = make_contest()
    counts = {contest.pk: contest.team_count for contest in Contest.objects.with_team_count()}
    assert counts == {cast.contest.pk: 1, empty.pk: 0}


def test_teams_of_every_state(cast: Cast) -> None:
    for state in Team.State.values:
        Team.objects.create(contest=cast.contest, name=f"is {state}", state=state)
    here = cast.contest.teams
    assert set(here.competing()) == {cast.aces, cast.clubs, here.get(name="is approved")}
    listed = set(here.listed().values_list("state", flat=True))
    assert listed == {"approved", "withdrawn", "disqualified"}


def test_seed_order_puts_the_unseeded_last_in_the_order_they_came(db: None) -> None:
    contest = make_contest()
    first, second, third, fourth = (make_team(contest) for _ in range(4))
    teams.set_seeds(contest, make_user(), {third.pk: 2, fourth.pk: 1})
    assert list(contest.teams.in_seed_order()) == [fourth, third, first, second]


def test_teams_are_found_by_name_or_school(cast: Cast) -> None:
    teams.edit(cast.clubs, cast.carl, "Clubs", "Ace Academy")
    assert set(cast.contest.teams.called("ace")) == {cast.aces, cast.clubs}
    assert set(cast.contest.teams.called(" CLUB ")) == {cast.clubs}
    assert cast.contest.teams.called("").count() == 2
    assert not cast.contest.teams.called("%").exists()


def test_codes_are_readable_and_differ() -> None:
    codes = {new_code() for _ in range(200)}
    assert len(codes) == 200
    assert all(len(code) == 8 and set(code) <= set(CODE_ALPHABET) for code in codes)
    assert not set("01ilo") & set(CODE_ALPHABET)


@pytest.mark.parametrize(("name", "seed"), [("ACES", None), ("Other", 7)])
def test_the_database_itself_keeps_names_and_seeds_apart(cast: Cast, name: str, seed: int | None) -> None:
    teams.set_seeds(cast.contest, cast.ada, {cast.clubs.pk: 7})
    with pytest.raises(IntegrityError), transaction.atomic():
        Team.objects.create(contest=cast.contest, name=name, seed=seed)


def test_the_database_itself_keeps_people_in_one_team(cast: Cast) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.create(team=cast.clubs, contest=cast.contest, user=cast.alice)


@pytest.mark.django_db(transaction=True)
def test_an_act_is_recorded_in_the_transaction_of_its_action_or_not_at_all() -> None:
    contest = make_contest()
    count = Act.objects.count()
    with pytest.raises(AssertionError, match="transaction"):
        Act.record(contest, None, "dance")
    with transaction.atomic():
        Act.record(contest, None, "dance")
        transaction.set_rollback(True)
    assert Act.objects.count() == count
    with transaction.atomic():
        act = Act.record(contest, AnonymousUser(), "dance", "x" * 500)
    assert act.user is None
    assert len(act.target) == 200


def test_touch_counts_without_a_race(cast: Cast) -> None:
    stale = Contest.objects.get(pk=cast.contest.pk)
    before = stale.revision
    cast.contest.touch()
    stale.touch()
    cast.contest.refresh_from_db()
    assert cast.contest.revision == before + 2


def test_contests_are_organised_by_those_who_may_change_them(db: None) -> None:
    cast = make_cast()
    organised = {
        name: set(Contest.objects.organised_by(getattr(cast, name)))
        for name in ("ada", "olga", "judy", "alice", "root")
    }
    assert organised == {
        "ada": {cast.contest},
        "olga": {cast.contest},
        "judy": set(),
        "alice": set(),
        "root": {cast.contest},
    }
    assert not Contest.objects.organised_by(AnonymousUser())
