"""Actions on teams, every refusal, and the audit log entry of each action."""

import threading
from datetime import timedelta

import pytest
from django.db import connection

from contest import contests, teams
from contest.models import Act, Contest, Membership, Team
from contest.refusal import Refused
from tests.cast import Cast, make_contest, make_team, make_user, open_until

State = Team.State


def last_act(contest: Contest) -> Act:
    return contest.acts.latest("id")


def revision(contest: Contest) -> int:
    return Contest.objects.get(pk=contest.pk).revision


def in_state(team: Team, state: str) -> Team:
    team.state = state
    team.save()
    return team


# Entering -------------------------------------------------------------------------------------------------------------


def test_the_founder_is_the_captain_and_the_contest_moves_on(cast: Cast) -> None:
    before = revision(cast.contest)
    team = teams.create(cast.contest, cast.zoe, "Zebras", "Zoo School")
    membership = team.memberships.get()
    assert (membership.user, membership.is_captain, membership.contest) == (cast.zoe, True, cast.contest)
    assert team.state == State.APPROVED
    assert (last_act(cast.contest).verb, last_act(cast.contest).target) == ("enter", "Zebras")
    assert revision(cast.contest) == before + 1


def test_nobody_is_in_two_teams_of_a_contest(cast: Cast) -> None:
    with pytest.raises(Refused, match="You are already in the team “Aces”"):
        teams.create(cast.contest, cast.bob, "Second thoughts")
    with pytest.raises(Refused, match="You are already in the team “Aces”"):
        teams.join(cast.contest, cast.bob, cast.clubs.code)
    assert not cast.contest.teams.filter(name="Second thoughts").exists()


def test_entry_is_refused_before_it_opens_after_it_closed_and_after_the_end(cast: Cast) -> None:
    contest = cast.contest
    with pytest.raises(Refused, match="has not opened yet"):
        teams.create(contest, cast.zoe, "Early", now=contest.opens_at - timedelta(seconds=1))
    assert teams.create(contest, make_user(), "Last minute", now=contest.entry_deadline - timedelta(seconds=1))
    with pytest.raises(Refused, match="Entry has closed"):
        teams.create(contest, cast.zoe, "Late", now=contest.entry_deadline)
    contests.end(contest, cast.ada, "all played")
    with pytest.raises(Refused, match="has ended"):
        teams.create(contest, cast.zoe, "Too late")


# Joining --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", ["{}", " {} ", "{}\n"])
def test_a_code_opens_the_door_however_it_is_typed(cast: Cast, typed: str) -> None:
    assert teams.join(cast.contest, cast.zoe, typed.format(cast.clubs.code.upper())) == cast.clubs
    assert not Membership.objects.get(user=cast.zoe).is_captain
    assert last_act(cast.contest).verb == "join"


def test_members_still_come_after_the_deadline_but_not_after_the_end(cast: Cast) -> None:
    open_until(cast.contest, hours=-1)
    assert teams.join(cast.contest, cast.zoe, cast.clubs.code) == cast.clubs
    contests.end(cast.contest, cast.ada, "all played")
    with pytest.raises(Refused, match="has ended"):
        teams.join(cast.contest, make_user(), cast.clubs.code)


@pytest.mark.parametrize("state", [State.REFUSED, State.DISQUALIFIED])
def test_nobody_joins_a_team_that_is_out(cast: Cast, state: str) -> None:
    in_state(cast.clubs, state)
    with pytest.raises(Refused, match="no longer takes part"):
        teams.join(cast.contest, cast.zoe, cast.clubs.code)


def test_a_changed_code_shuts_the_old_door(cast: Cast) -> None:
    old = cast.clubs.code
    new = teams.change_code(cast.clubs, cast.carl)
    assert new != old
    with pytest.raises(Refused):
        teams.join(cast.contest, cast.zoe, old)
    assert teams.join(cast.contest, cast.zoe, new) == cast.clubs


def test_the_first_to_join_a_team_that_an_organiser_added_is_its_captain(cast: Cast) -> None:
    open_until(cast.contest, hours=-1)
    team = teams.add(cast.contest, cast.olga, "By mail", "Far Away High")
    assert (team.state, team.memberships.count()) == (State.APPROVED, 0)
    teams.join(cast.contest, cast.zoe, team.code)
    teams.join(cast.contest, make_user(), team.code)
    assert [each.is_captain for each in team.people()] == [True, False]


@pytest.mark.django_db(transaction=True)
def test_the_last_free_place_is_given_once() -> None:
    """Eight people with the code at the same moment, and one free place."""
    contest = make_contest(team_size=2)
    team, people = make_team(contest), [make_user() for _ in range(8)]
    outcomes: list[str] = []
    barrier = threading.Barrier(len(people))

    def join(index: int) -> None:
        barrier.wait()
        try:
            teams.join(contest, people[index], team.code)
            outcomes.append("in")
        except Refused as refusal:
            outcomes.append(str(refusal))
        finally:
            connection.close()

    threads = [threading.Thread(target=join, args=[index]) for index in range(len(people))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count("in") == 1
    assert sum("is full" in it for it in outcomes) == 7
    assert team.memberships.count() == 2


# Members --------------------------------------------------------------------------------------------------------------


def test_a_team_can_be_renamed(cast: Cast) -> None:
    school = cast.aces.school
    teams.edit(cast.aces, cast.bob, "Aces high", "New School")
    assert last_act(cast.contest).data["before"] == ["Aces", school]
    cast.aces.refresh_from_db()
    assert (cast.aces.name, cast.aces.school) == ("Aces high", "New School")


def test_a_captain_who_leaves_hands_over_to_the_longest_member(cast: Cast) -> None:
    teams.join(cast.contest, cast.zoe, cast.aces.code)
    teams.leave(cast.aces.memberships.get(user=cast.alice))
    assert [(each.user, each.is_captain) for each in cast.aces.people()] == [(cast.bob, True), (cast.zoe, False)]
    teams.leave(cast.aces.memberships.get(user=cast.zoe))
    assert [(each.user, each.is_captain) for each in cast.aces.people()] == [(cast.bob, True)]
    with pytest.raises(Refused, match="You are the last member"):
        teams.leave(cast.aces.memberships.get())


def test_a_member_is_removed_but_neither_oneself_nor_the_captain(cast: Cast) -> None:
    alice, bob = (cast.aces.memberships.get(user=who) for who in (cast.alice, cast.bob))
    with pytest.raises(Refused, match="To leave the team"):
        teams.remove(alice, cast.alice)
    with pytest.raises(Refused, match="You cannot remove the captain"):
        teams.remove(alice, cast.bob)
    known = cast.aces.code
    teams.remove(bob, cast.alice)
    assert [each.user for each in cast.aces.people()] == [cast.alice]
    assert (last_act(cast.contest).verb, last_act(cast.contest).target) == ("remove member", "bob")
    cast.aces.refresh_from_db()
    with pytest.raises(Refused, match="No team"):
        teams.join(cast.contest, cast.bob, known)
    assert teams.join(cast.contest, cast.bob, cast.aces.code) == cast.aces


# Withdrawing and coming back ------------------------------------------------------------------------------------------


def test_coming_back_needs_approval_where_entering_does(db: None) -> None:
    contest = make_contest(approval_required=True)
    captain = make_user()
    team = make_team(contest, captain)
    teams.approve(team, make_user())
    teams.withdraw(team, captain)
    teams.reenter(team, captain)
    assert team.state == State.PENDING


@pytest.mark.parametrize("action", ["withdraw", "reenter"])
def test_a_page_from_before_a_disqualification_does_not_undo_it(cast: Cast, action: str) -> None:
    if action == "reenter":
        teams.withdraw(cast.aces, cast.alice)
    stale = Team.objects.select_related("contest").get(pk=cast.aces.pk)
    teams.disqualify(cast.aces, cast.olga, "copied a bot")
    with pytest.raises(Refused):
        getattr(teams, action)(stale, cast.alice)
    cast.aces.refresh_from_db()
    assert (cast.aces.state, cast.aces.state_reason) == (State.DISQUALIFIED, "copied a bot")


def test_a_page_from_before_the_end_does_not_withdraw_after_it(cast: Cast) -> None:
    stale = Team.objects.select_related("contest").get(pk=cast.aces.pk)
    contests.end(cast.contest, cast.ada, "all played")
    with pytest.raises(Refused, match="has ended"):
        teams.withdraw(stale, cast.alice)


# Organisers -----------------------------------------------------------------------------------------------------------

ALLOWED = {
    "approve": {State.PENDING, State.REFUSED},
    "refuse": {State.PENDING},
    "disqualify": {State.PENDING, State.APPROVED, State.REFUSED, State.WITHDRAWN},
    "reinstate": {State.DISQUALIFIED, State.WITHDRAWN},
    "withdraw": {State.PENDING, State.APPROVED},
}
AFTERWARDS = {
    "approve": State.APPROVED,
    "refuse": State.REFUSED,
    "disqualify": State.DISQUALIFIED,
    "reinstate": State.APPROVED,
    "withdraw": State.WITHDRAWN,
}


@pytest.mark.parametrize("state", State.values)
@pytest.mark.parametrize("action", ALLOWED)
def test_every_action_in_every_state(cast: Cast, action: str, state: str) -> None:
    team = in_state(cast.clubs, state)
    count, before = cast.contest.acts.count(), revision(cast.contest)
    arguments = () if action == "approve" else ("because",)
    if state in ALLOWED[action]:
        getattr(teams, action)(team, cast.olga, *arguments)
        act = last_act(cast.contest)
        assert (act.user, act.data["before"], act.reason) == (cast.olga, state, "".join(arguments))
        assert revision(cast.contest) == before + 1
    else:
        with pytest.raises(Refused):
            getattr(teams, action)(team, cast.olga, *arguments)
        assert cast.contest.acts.count() == count
    team.refresh_from_db()
    assert team.state == (AFTERWARDS[action] if state in ALLOWED[action] else state)


@pytest.mark.parametrize("action", ["disqualify", "reinstate"])
@pytest.mark.parametrize("reason", ["", "   "])
def test_what_weighs_heavily_needs_a_reason(cast: Cast, action: str, reason: str) -> None:
    if action == "reinstate":
        teams.disqualify(cast.clubs, cast.olga, "copied")
    with pytest.raises(Refused, match="reason"):
        getattr(teams, action)(cast.clubs, cast.olga, reason)


def test_many_are_decided_at_once_and_only_those_that_wait(db: None) -> None:
    contest = make_contest(approval_required=True)
    waiting = [make_team(contest) for _ in range(3)]
    other = make_team(make_contest(approval_required=True))
    organiser = make_user()
    teams.refuse(waiting[2], organiser)
    count = teams.decide_many(contest, organiser, [team.pk for team in (*waiting, other)], approved=True)
    assert count == 2
    assert list(contest.teams.order_by("pk").values_list("state", flat=True)) == ["approved", "approved", "refused"]
    assert contest.acts.filter(verb="approve team").count() == 2
    other.refresh_from_db()
    assert other.state == State.PENDING


# Seed numbers ---------------------------------------------------------------------------------------------------------


def test_seed_numbers_are_set_swapped_and_cleared(cast: Cast) -> None:
    aces, clubs = cast.aces.pk, cast.clubs.pk
    seeds = lambda: dict(cast.contest.teams.values_list("pk", "seed"))  # noqa: E731
    assert teams.set_seeds(cast.contest, cast.olga, {aces: 1, clubs: 2}) == 2
    assert teams.set_seeds(cast.contest, cast.olga, {aces: 2, clubs: 1}) == 2
    assert seeds() == {aces: 2, clubs: 1}
    assert last_act(cast.contest).data == {"before": {"Aces": 1, "Clubs": 2}, "after": {"Aces": 2, "Clubs": 1}}
    assert teams.set_seeds(cast.contest, cast.olga, {clubs: None}) == 1
    assert seeds() == {aces: 2, clubs: None}
    assert teams.set_seeds(cast.contest, cast.olga, {aces: 2}) == 0


def test_a_number_belongs_to_one_team_also_among_those_not_named(cast: Cast) -> None:
    teams.set_seeds(cast.contest, cast.olga, {cast.aces.pk: 1})
    with pytest.raises(Refused, match=r"same seed number: 1 \(.*\)"):
        teams.set_seeds(cast.contest, cast.olga, {cast.clubs.pk: 1})
    cast.clubs.refresh_from_db()
    assert cast.clubs.seed is None


def test_teams_of_other_contests_are_not_touched(cast: Cast) -> None:
    other = make_team(make_contest())
    assert teams.set_seeds(cast.contest, cast.olga, {other.pk: 1}) == 0
    other.refresh_from_db()
    assert other.seed is None
