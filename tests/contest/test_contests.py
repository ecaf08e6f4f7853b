"""Contests: created from a preset, edited, ended; roles and announcements."""

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from contest import contests
from contest.models import Act, Contest, Role
from contest.refusal import Refused
from games.engine import OptionError
from tests.cast import Cast, make_contest, make_user


def last_act(contest: Contest) -> Act:
    return contest.acts.latest("id")


# Creating -------------------------------------------------------------------------------------------------------------


def test_the_preset_of_1998_says_what_its_paper_says(db: None) -> None:
    owner = make_user()
    contest = contests.create(owner, "Utah 1998", "tricky_eights", "utah-1998")
    assert (contest.memory_mb, contest.needs_strategy, contest.one_file) == (4, True, True)
    assert set(contest.languages) == {"c", "cpp", "pascal"}
    assert contest.full_options()["target"] == 300
    assert contest.full_options()["time_limit"] == 4
    assert contest.roles.get().user == owner
    assert contest.roles.get().role == Role.Kind.OWNER
    assert last_act(contest).verb == "create contest"
    assert contest.entry_open()
    assert contest.upload_deadline > timezone.now() + timedelta(days=20)


def test_every_address_is_free_and_none_is_reserved(db: None) -> None:
    owner = make_user()
    slugs = [contests.create(owner, name, "tricky_eights", "utah-1998").slug for name in ("Cup!", "Cup", "new", "♠♥")]
    assert slugs == ["cup", "cup-2", "new-2", "contest"]
    assert len(contests.free_slug("x" * 200)) <= 60
    assert contests.free_slug("card playing " * 9).endswith("-card")  # no word is cut


@pytest.mark.parametrize(
    ("game", "preset", "options"),
    [
        ("no_such_game", "utah-1998", {}),
        ("tricky_eights", "no-such-preset", {}),
        ("tricky_eights", "utah-1998", {"target": 0}),
        ("tricky_eights", "utah-1998", {"colour": "red"}),
    ],
)
def test_what_the_game_does_not_know_is_refused(db: None, game: str, preset: str, options: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        contests.create(make_user(), "Bad", game, preset, options=options)
    assert not Contest.objects.exists()


# Editing --------------------------------------------------------------------------------------------------------------


def test_what_really_changed_is_recorded(cast: Cast) -> None:
    revision = Contest.objects.get().revision
    changed = contests.edit(
        cast.contest, cast.olga, {"memory_mb": 64, "name": cast.contest.name, "options": {"target": 50}}
    )
    assert changed == {"memory_mb": ("4", "64"), "options": ("{}", "{'target': 50}")}
    act = last_act(cast.contest)
    assert (act.verb, act.user, act.data["changes"]["memory_mb"]) == ("change settings", cast.olga, ["4", "64"])
    cast.contest.refresh_from_db()
    assert (cast.contest.memory_mb, cast.contest.full_options()["target"]) == (64, 50)
    assert cast.contest.revision == revision + 1


def test_options_that_the_game_refuses_change_nothing(cast: Cast) -> None:
    with pytest.raises(OptionError):
        contests.edit(cast.contest, cast.olga, {"memory_mb": 64, "options": {"target": -1}})
    assert Contest.objects.get().memory_mb == 4


def test_a_contest_ends_once_and_goes_on_with_a_reason(cast: Cast) -> None:
    with pytest.raises(Refused, match="has not ended"):
        contests.reopen(cast.contest, cast.ada, "why not")
    with pytest.raises(Refused, match="say why"):
        contests.end(cast.contest, cast.ada, " ")
    contests.end(cast.contest, cast.ada, "all played")
    assert (last_act(cast.contest).verb, last_act(cast.contest).reason) == ("end contest", "all played")
    assert not cast.contest.entry_open()
    stale = Contest.objects.get()
    stale.ended_at = None
    for seen in (cast.contest, stale):
        with pytest.raises(Refused, match="already ended"):
            contests.end(seen, cast.ada, "again")
    with pytest.raises(Refused, match="say why"):
        contests.reopen(cast.contest, cast.ada, "  ")
    contests.reopen(cast.contest, cast.ada, "the final is played again")
    assert cast.contest.entry_open()


def test_a_contest_that_somebody_entered_cannot_be_deleted(cast: Cast) -> None:
    with pytest.raises(Refused, match="2 teams have entered"):
        contests.delete(cast.contest)
    empty = make_contest()
    contests.delete(empty)
    assert list(Contest.objects.all()) == [cast.contest]


# Roles ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["", "   ", "nobody"])
def test_who_has_no_account_cannot_have_a_role(cast: Cast, typed: str) -> None:
    with pytest.raises(Refused, match="no account"):
        contests.find_user(typed)


@pytest.mark.parametrize("typed", [" zoe@example.org ", "Zoe@Example.ORG"])
def test_an_address_names_somebody_when_it_is_proved_to_be_his(cast: Cast, typed: str) -> None:
    EmailAddress.objects.create(user=cast.zoe, email="zoe@example.org", verified=True)
    impostor = make_user("zed", email="zoe@example.org")
    EmailAddress.objects.create(user=impostor, email="zoe@example.org", verified=False)
    assert contests.find_user(typed) == cast.zoe


def test_who_only_says_that_an_address_is_his_gets_no_role(cast: Cast) -> None:
    for name in ("evil", "teacher@school.org"):
        impostor = make_user(name, email=f"{name.partition('@')[0]}@school.org")
        EmailAddress.objects.create(user=impostor, email="teacher@school.org", verified=False)
        with pytest.raises(Refused, match="username"):
            contests.find_user("teacher@school.org")


def test_roles_are_given_changed_and_taken(cast: Cast) -> None:
    contests.give_role(cast.contest, cast.ada, cast.zoe, Role.Kind.JUDGE)
    contests.give_role(cast.contest, cast.ada, cast.zoe, Role.Kind.ORGANISER)
    role = cast.contest.roles.get(user=cast.zoe)
    assert role.role == Role.Kind.ORGANISER
    assert last_act(cast.contest).data == {"role": "organiser", "before": "judge"}
    with pytest.raises(Refused, match="already has this role"):
        contests.give_role(cast.contest, cast.ada, cast.zoe, Role.Kind.ORGANISER)
    contests.take_role(role, cast.ada)
    assert not cast.contest.roles.filter(user=cast.zoe).exists()
    assert (last_act(cast.contest).verb, last_act(cast.contest).target) == ("take role", "zoe")
