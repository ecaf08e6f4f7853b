"""Placements: a new version is placed on the ladder of house players, after all that anybody has ordered."""

from __future__ import annotations

from random import Random

import pytest
from django.utils import timezone

from contest import contests
from contest.models import Contest, Role, Team
from games import duels, ladder
from games.record import verify
from tests.cast import make_team, make_user
from tests.programs import browser
from tests.tournaments.practice.gym import fresh
from tests.tournaments.practice.laboratory import laboratory, refereed
from tournaments.models import Placement, PracticeOrder
from tournaments.practice import placements, play
from tournaments.view_models import placed

pytestmark = [pytest.mark.long("more"), pytest.mark.django_db]

State = PracticeOrder.State


def room(**fields: object) -> tuple[Contest, Team]:
    """A contest with one team, whose version 2 has just become ready. House players stand in for its program."""
    contest, team = laboratory(**fields)
    team.submissions.update(finished_at=timezone.now())
    return contest, team


def begun(team: Team, seed: int | None = None) -> Placement:
    """Begin the placement that is due. With `seed`, its cards are known."""
    assert placements.begin(timezone.now()) == 1
    placement = Placement.objects.select_related("order__contest").get(submission__team=team, order__state=State.OPEN)
    if seed is not None:
        PracticeOrder.objects.filter(pk=placement.pk).update(seed=seed)
        placement.order.games.all().delete()
        placement.order.refresh_from_db()
        rungs = ladder.rungs(placement.order.contest.game)
        play.queue.add_games(placement.order, placements._batch(placement, rungs))
    return placement


def play_some(player: str, most: int = 1000, random: Random | None = None) -> int:
    """Play games of practice, with a house player in the place of the version, and finish them in any order."""
    random, count, running = random or Random(1), 0, []
    while count < most:
        while len(running) < 4 and (found := play.claim_next("tester", timezone.now())) is not None:
            running.append(found)
        if not running:
            break
        game = running.pop(random.randrange(len(running)))
        play.finish(game, refereed(game, new=player, old=""))
        count += 1
    for game in running:
        play.queue.give_back(game)
    return count


def test_a_version_is_placed_where_it_is_and_all_follows_from_the_records() -> None:
    """Whatever the order in which its games end."""
    contest, team = room()
    placement = begun(team, seed=5)
    assert placement.submission.number == 2, "the newest"
    count = play_some("meek")
    placement.refresh_from_db()
    done = fresh(placement.order)
    assert (done.state, done.why, done.games.count()) == (State.DONE, "", count)
    assert len(placement.duels) == count // 2 <= placements.MOST_DUELS
    rungs = {rung.name: rung.rating for rung in ladder.rungs(contest.game)}
    assert abs(placement.rating - rungs["meek"]) < 1.6 * placement.error
    for number, (rung, won) in enumerate(placement.duels, 1):
        pair = list(done.games.filter(number__in=(2 * number - 1, 2 * number)))
        records = [each.record.loaded() for each in pair]
        assert [verify(record) for record in records] == [None, None]
        assert records[0]["seed"] == records[1]["seed"]
        seatings = [[int(player != 0) for player in each.lineup] for each in pair]
        assert won == duels.won(contest.game, seatings, records)
        players = {player.name for each in pair for player in play.lineup_of(each)}
        assert players == {"Aces, version 2", f"House: {rung.replace('_', ' ')}"}
    hand = placement.hands[0]
    mine, theirs = (done.games.get(number=hand[name]).record.loaded() for name in ("game", "mirror"))
    assert mine["result"]["scores"][hand["seat"]] == hand["mine"]
    assert theirs["result"]["scores"][hand["seat"]] == hand["theirs"] < hand["mine"]

    _, others = room()
    again = begun(others, seed=5)
    play_some("meek", 16, Random(2))
    again.refresh_from_db()
    assert len(again.duels) >= 4
    assert again.duels == placement.duels[: len(again.duels)]


def test_the_page_of_the_version_says_it_to_the_team_and_to_organisers_alone() -> None:
    contest, team = room()
    member = browser(team.people()[0].user)
    placement = Placement(order=PracticeOrder(contest=contest, team=team), submission=team.submissions.get(number=2))
    address = placement.get_absolute_url()
    assert member.get(address).status_code == 200
    begun(team)
    play_some("ducker", 8)
    placement = Placement.objects.get()
    placement.error = placed.VAGUE
    placement.hands[0] |= {"mine": 1.0, "theirs": 0.0}
    placement.save()
    shown = member.get(address).text
    assert f"{placement.rating:.0f} ± 150" in shown
    replay = next(line.split('"')[1] for line in shown.splitlines() if "?ply=" in line).replace("&amp;", "&")
    assert member.get(replay).status_code == 200
    organiser, stranger, rival = make_user(), make_user(), make_team(contest, name="Rivals")
    contests.give_role(contest, contest.roles.first().user, organiser, Role.Kind.ORGANISER)
    assert f"{placement.rating:.0f} ± 150" in browser(organiser).get(address).text
    for other in (stranger, rival.people()[0].user):
        assert browser(other).get(address).status_code == 404
        assert browser(other).get(replay).status_code == 404
