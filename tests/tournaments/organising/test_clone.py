"""A contest copied from another one: the same settings and stages at another time, without any results."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from contest import contests
from contest.clone import Wish, moved
from contest.models import Contest, Role
from submissions.models import Submission
from tests.cast import make_user
from tests.tournaments.stagecraft import Hall, play_out
from tournaments.models import Match, Stage
from tournaments.organising.clone import clone

pytestmark = pytest.mark.django_db
YEAR = timedelta(days=364)


@pytest.fixture
def hall() -> Hall:
    """A contest with three stages, of which one is played: the second takes its best, the third has invited teams."""
    hall = Hall(teams=5, memory_mb=77)
    first = hall.stage()
    play_out(first)
    rest = {"contest": hall.contest, "seed": 5, "options": first.options}
    later = timezone.now() + timedelta(days=3)
    Stage.objects.create(
        name="Final", entry="best", source=first, best=4, starts_after=True, release="rounds", released=2, decides=True,
        **rest,
    )  # fmt: skip
    Stage.objects.create(
        name="Guests", entry="invited", invited=hall.ids[:2], seeding="hand", order=hall.ids[::-1], starts_at=later,
        ends_at=later + timedelta(hours=2), **rest,
    )  # fmt: skip
    contests.announce(hall.contest, hall.ada, "Lunch", "at noon")
    contests.give_role(hall.contest, hall.ada, make_user("judy"), Role.Kind.JUDGE)
    contests.renew_spectator_link(hall.contest, hall.ada)
    contests.end(hall.contest, hall.ada, "all played")
    hall.contest.refresh_from_db()
    return hall


def cloned(hall: Hall, **wish: Any) -> Contest:
    made = clone(hall.contest, hall.ada, Wish("Next year", hall.contest.opens_at + YEAR, **wish))
    return Contest.objects.get(pk=made.pk)


def test_settings_are_the_same_and_dates_are_moved(hall: Hall) -> None:
    made, old = cloned(hall), hall.contest
    assert (made.slug, made.name) == ("next-year", "Next year")
    for name in ("game_slug", "preset", "options", "languages", "memory_mb", "team_size", "live"):
        assert getattr(made, name) == getattr(old, name), name
    assert made.memory_mb == 77
    assert (old.visibility, made.visibility) == ("public", "private")
    assert made.entry_deadline - old.entry_deadline == made.upload_deadline - old.upload_deadline == YEAR
    assert (made.ended_at, made.play_started_at, made.spectator_code, made.revision) == (None, None, "", 0)


def test_stages_are_drafts_that_follow_each_other_as_before(hall: Hall) -> None:
    made = cloned(hall)
    cup, final, guests = made.stages.order_by("pk")
    assert {stage.state for stage in (cup, final, guests)} == {"draft"}
    assert (final.source, final.entry, final.best, final.starts_after) == (cup, "best", 4, True)
    assert (final.release, final.released) == ("rounds", 0)
    assert cup.options == hall.contest.stages.first().options
    assert cup.seed != 17
    assert (cup.order, cup.versions, cup.left_out, guests.invited, guests.order) == ([], {}, [], [], [])
    old = hall.contest.stages.get(name="Guests")
    assert guests.starts_at - old.starts_at == guests.ends_at - old.ends_at == YEAR
    assert hall.contest.stages.count() == 3, "the old ones stay where they are"


def test_no_results_are_copied(hall: Hall) -> None:
    made = cloned(hall, teams=True, announcements=True)
    assert not Match.objects.filter(contest=made).exists()
    assert not Submission.objects.filter(team__contest=made).exists()
    assert made.ratings.count() == made.questions.count() == 0


def test_teams_come_with_their_members_where_wished(hall: Hall) -> None:
    assert cloned(hall).teams.count() == 0
    gone = hall.teams[4]
    gone.state = "disqualified"
    gone.save()
    made = cloned(hall, teams=True)
    old = {team.name: team for team in hall.teams[:4]}
    assert {team.name for team in made.teams.all()} == set(old)
    for team in made.teams.all():
        assert team.seed == old[team.name].seed
        assert team.code != old[team.name].code
        mine, before = team.people().get(), old[team.name].people().get()
        assert (mine.user, mine.is_captain, mine.contest) == (before.user, True, made)
    guests = made.stages.get(name="Guests")
    names = dict(made.teams.values_list("pk", "name"))
    assert [names[team] for team in guests.invited] == [team.name for team in hall.teams[:2]]
    assert [names[team] for team in guests.order] == [team.name for team in hall.teams[3::-1]]


@pytest.mark.long("more")
def test_roles_and_announcements_come_where_wished(hall: Hall) -> None:
    olga = make_user("olga")
    contests.give_role(hall.contest, hall.ada, olga, Role.Kind.ORGANISER)
    made = clone(hall.contest, olga, Wish("Mine", timezone.now(), roles=True, announcements=True))
    roles = dict(made.roles.values_list("user__username", "role"))
    assert roles == {hall.ada.username: "owner", "judy": "judge", "olga": "owner"}
    assert made.announcements.get().text == "at noon"
    alone = clone(hall.contest, olga, Wish("Alone", timezone.now(), roles=False))
    assert dict(alone.roles.values_list("user__username", "role")) == {"olga": "owner"}
    assert not alone.announcements.exists()


@pytest.mark.long("more")
def test_the_hour_stays_when_the_clocks_change_in_between() -> None:
    zone = ZoneInfo("America/Denver")
    opening, after = datetime(2026, 10, 1, 9, tzinfo=zone), datetime(2026, 12, 1, 9, tzinfo=zone)
    deadline = datetime(2026, 10, 8, 23, 59, tzinfo=zone)
    assert moved(deadline, opening, after, zone) == datetime(2026, 12, 8, 23, 59, tzinfo=zone)
    assert moved(None, opening, after, zone) is None
