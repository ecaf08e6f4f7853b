"""Placements: a new version is placed on the ladder of house players, after all that anybody has ordered."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from contest import contests
from contest.models import Contest, Role, Team
from games import duels, ladder
from games.record import verify
from submissions.models import Submission
from tests.cast import make_team, make_user
from tests.programs import browser
from tests.tournaments.practice.gym import fresh, order
from tests.tournaments.practice.laboratory import laboratory, refereed
from tournaments.models import Placement, PracticeGame, PracticeOrder
from tournaments.practice import placements, play, quotas, upkeep
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


def test_what_a_team_orders_itself_is_played_first_and_its_quota_is_its_own() -> None:
    _, team = room()
    placement = begun(team)
    assert quotas.spent(team, timezone.now()) == 0
    asked = order(team, opponents=("house:random",), games=2)
    claimed = [play.claim_next("tester", timezone.now()) for _ in range(3)]
    assert [game.order_id for game in claimed if game] == [asked.pk, asked.pk, placement.pk]


def test_a_newer_version_takes_over_and_there_are_few_in_an_hour() -> None:
    _, team = room()
    first = begun(team)
    for number in range(3, 3 + placements.MOST_AN_HOUR):
        newer = team.submissions.get(number=2)
        newer.pk, newer.number, newer.is_active, newer.finished_at = None, number, False, timezone.now()
        newer.save(force_insert=True)
        placements.begin(timezone.now())
    assert Placement.objects.count() == placements.MOST_AN_HOUR
    assert fresh(first.order).why == "Version 3 is ready and is placed instead."
    assert PracticeOrder.objects.open().count() == 1
    assert placements.begin(timezone.now() + quotas.HOUR) == 1


def test_versions_that_cannot_be_placed_now_do_not_keep_others_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of each kind is older than the one that can be, and a tick looks at one version only."""
    monkeypatch.setattr(placements, "AT_ONCE", 1)
    monkeypatch.setattr(placements, "MOST_AN_HOUR", 1)
    now = timezone.now()
    (closed, _), (ended, _), (announced, _), (_, withdrawn), (_, eager), (busy, other) = (room() for _ in range(6))
    for team in (eager, other):
        assert placements.place(team.submissions.get(number=2), now)
    placements.queue.end(eager.practice_orders.get(), State.CANCELLED)
    Placement.objects.all().delete()
    monkeypatch.setattr(quotas, "MOST_WAITING", PracticeGame.objects.open().count())
    other.practice_orders.update(made_at=now - quotas.HOUR)
    Contest.objects.filter(pk=closed.pk).update(practice=Contest.Practice.CLOSED)
    Contest.objects.filter(pk=ended.pk).update(ended_at=now)
    Contest.objects.filter(pk=announced.pk).update(opens_at=now + timedelta(days=1))
    Team.objects.filter(pk=withdrawn.pk).update(state=Team.State.WITHDRAWN)
    _, last = room()
    assert placements.begin(timezone.now()) == 1
    assert Placement.objects.get().submission.team == last
    assert busy.practice_orders.count() == 1


@pytest.mark.parametrize("change", ["switched off", "practice closed", "long ago"])
def test_when_none_begins_and_one_in_progress_ends(change: str) -> None:
    _, team = room()
    placement = begun(team)
    Placement.objects.all().delete()
    if change == "long ago":
        Submission.objects.update(finished_at=timezone.now() - placements.FRESH - timedelta(minutes=1))
    elif change == "switched off":
        Contest.objects.update(places_versions=False)
    else:
        Contest.objects.update(practice=Contest.Practice.CLOSED)
    assert placements.begin(timezone.now()) == 0
    upkeep.end_stopped(timezone.now())
    ended = fresh(placement.order)
    if change == "long ago":
        assert ended.is_open, "one that has begun goes on"
    else:
        assert ended.state == State.CANCELLED
        assert ended.why in (
            "The organisers have switched it off.",
            "The organisers have closed practice in this contest.",
        )


def test_a_portal_that_fails_again_and_again_gives_up() -> None:
    _, team = room()
    placement = begun(team)
    while fresh(placement.order).is_open:
        game = play.claim_next("tester", timezone.now())
        assert game is not None
        PracticeGame.objects.filter(pk=game.pk).update(failures=play.MOST_FAILURES)
        game.failures = play.MOST_FAILURES
        play.put_back(game, "broken")
    placement.refresh_from_db()
    assert (placement.lost, placement.rating) == (placements.MOST_LOST, None)
    assert fresh(placement.order).state == State.FAILED


def test_in_a_game_for_one_a_match_has_as_many_games_as_when_the_house_was_rated() -> None:
    _, team = room(game="even_steven")
    placement = begun(team)
    assert play_some("careless", 8) == 8
    placement.refresh_from_db()
    assert len(placement.duels) >= 3
    record = placement.order.games.get(number=1).record.loaded()
    assert sum(event["event"] == "result" for event in record["events"]) == duels.ALONE


def test_where_whole_games_take_too_long_a_match_is_as_short_as_when_the_house_was_rated() -> None:
    _, team = room(game="tricky_eights")
    assert team.contest.full_options()["target"] == 300
    assert begun(team).order.options["target"] == 30


def test_the_page_of_the_version_says_it_to_the_team_and_to_organisers_alone() -> None:
    contest, team = room()
    member = browser(team.people()[0].user)
    placement = Placement(order=PracticeOrder(contest=contest, team=team), submission=team.submissions.get(number=2))
    address = placement.get_absolute_url()
    assert "It will begin as soon as workers have nothing else to do." in member.get(address).text
    begun(team)
    assert "0 of at most 80 practice games played. They wait until" in member.get(address).text
    play_some("ducker", 4)
    shown = member.get(address).text
    assert "4 of at most 80 practice games played." in shown
    assert "Its place appears here when it is known to about ± 150." in shown
    assert "You are here:" not in shown
    assert 'class="mine"' not in shown
    play_some("ducker", 4)
    placement = Placement.objects.get()
    placement.error = placed.VAGUE
    placement.hands[0] |= {"mine": 1.0, "theirs": 0.0}
    placement.save()
    shown = member.get(address).text
    assert f"You are here: {placement.rating:.0f} ± 150, " in shown
    assert "Its place appears here" not in shown
    assert ": 1 penalty point; " in shown
    assert "of at most 80 practice games played" in shown
    replay = next(line.split('"')[1] for line in shown.splitlines() if "?ply=" in line).replace("&amp;", "&")
    page = member.get(replay)
    assert page.status_code == 200
    assert "the same cards with changed seats" in page.text
    organiser, stranger, rival = make_user(), make_user(), make_team(contest, name="Rivals")
    contests.give_role(contest, contest.roles.first().user, organiser, Role.Kind.ORGANISER)
    assert "You are here:" in browser(organiser).get(address).text
    for other in (stranger, rival.people()[0].user):
        assert browser(other).get(address).status_code == 404
        assert browser(other).get(replay).status_code == 404
