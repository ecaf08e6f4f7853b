"""Hidden results leave no trace: every address answers the same to the letter, whatever happened behind it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from contest.models import Contest
from tests.cast import make_team
from tests.tournaments.courtroom import Courtroom
from tests.tournaments.stagecraft import Hall
from tests.tournaments.visitors import seen
from tests.tournaments.worlds import (
    ABOUT_RESULTS,
    EVERYWHERE,
    Told,
    differing,
    in_both,
    play_on,
    public_addresses,
    readers,
)
from tournaments.models import Client, Match, Stage
from tournaments.organising import releases, restoring, reviews, stages
from tournaments.playing import play

pytestmark = [pytest.mark.promise, pytest.mark.django_db]

ROUNDS = Stage.Release.ROUNDS
TWOS = {"table_size": 2, "games": 1}


def staged(hall: Hall, format: str = "single_elimination", *, start: bool = True, name: str = "Cup", **wish) -> Stage:
    stage = stages.create(hall.contest, hall.ada, stages.Wish(name, format, **wish))
    Stage.objects.filter(pk=stage.pk).update(seed=17)  # the same draw in every run
    if start:
        stages.start(stage, hall.ada)
    stage.refresh_from_db()
    return stage


def freeze(hall: Hall | Courtroom) -> None:
    releases.freeze(hall.contest, hall.ada)
    hall.contest.refresh_from_db()


def check(worlds: list[Told], least: int = 15) -> None:
    assert differing(worlds) == []
    assert sum(status == 200 for status, _ in worlds[0].values()) > least


def stranger(hall: Hall) -> Callable[[], Told]:
    asked = public_addresses(hall)
    return lambda: seen(asked, None)


MOST = (
    r"$|c/<slug:slug>/($|bracket|standings|matches|teams/<int:team_id>/$)|m/<int:match_id>/($|record|<int:game>/$)"
    r"|api/v1/contests/<slug:slug>/(stages|standings|matches|ledger)|api/v1/matches/<int:match_id>$"
)


def some(addresses: list[str]) -> list[str]:
    """Three of each kind: where matches are meant, one that was played before, one after, and one to come."""
    kinds: dict[str, list[str]] = {}
    for address in addresses:
        kinds.setdefault(re.sub(r"\d+", "0", address), []).append(address)
    return [address for kind in kinds.values() for address in kind[:3]]


ONE_OF_EACH = {
    "single_elimination": (4, 1, TWOS),
    "swiss": (4, 3, {**TWOS, "rounds": 2}),
    "round_robin": (3, 1, {"games": 1}),
    "combinations": (4, 2, {}),
    "ladder": (4, 2, {"table_size": 2}),
}
"""By format: teams, matches before the freeze, options."""


class TestOneOfEach:
    """One case for each format and each reader. The others are in the part `worlds`."""

    @pytest.mark.parametrize("format", ONE_OF_EACH)
    def test_what_happens_in_a_freeze_is_hidden(self, format: str) -> None:
        teams, before, options = ONE_OF_EACH[format]
        hall = Hall(teams)
        stage = staged(hall, format, options=options)
        play_on(stage, most=before)
        freeze(hall)
        asked = some(public_addresses(hall, MOST))
        stories = [lambda: play_on(stage, most=3), lambda: play_on(stage, weak=True, most=4)]
        check(in_both(stories, lambda: seen(asked, None)))

    @pytest.mark.parametrize(
        "who", ["member", *(pytest.param(it, marks=pytest.mark.long("worlds")) for it in ("program", "spectator"))]
    )
    def test_from_each_reader(self, who: str) -> None:
        hall = Hall(4, visibility=Contest.Visibility.PRIVATE if who == "spectator" else Contest.Visibility.PUBLIC)
        stage = staged(hall, options=TWOS)
        play_on(stage, most=1)
        look = readers(hall)[who]
        freeze(hall)
        asked = some(public_addresses(hall, MOST))
        worlds = in_both([lambda: play_on(stage), lambda: play_on(stage, weak=True)], lambda: look(asked))
        check(worlds)
        organiser = in_both([lambda: None, lambda: play_on(stage)], lambda: seen(asked[:20], hall.ada))
        assert differing(organiser), "else this tries nothing"

    def test_rounds_that_are_not_released(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS, release=ROUNDS)
        asked = some(public_addresses(hall, MOST))
        check(in_both([lambda: play_on(stage), lambda: play_on(stage, weak=True)], lambda: seen(asked, None)))

    def test_a_judged_problem(self) -> None:
        hall = Courtroom(2).start()
        hall.send(hall.teams[0], minutes=600)
        hall.judge("wrong")
        freeze(hall)

        def go_on(mine: str, theirs: str) -> None:
            for team, how in zip(hall.teams, (mine, theirs), strict=True):
                hall.send(team, minutes=600)
                hall.judge(how)

        stories = [lambda: go_on("right", "wrong"), lambda: go_on("late", "right")]
        member = hall.teams[0].people()[0].user
        asked = some(public_addresses(hall, MOST))
        worlds = in_both(stories, lambda: seen(asked, member))
        check(worlds)
        assert "incorrect output" in worlds[0][hall.stage.get_absolute_url()][1]


@pytest.mark.long("worlds")
class TestFreeze:
    @pytest.mark.parametrize("who", ["stranger", "member", "program", "spectator"])
    def test_a_bracket(self, who: str) -> None:
        private = who == "spectator"
        hall = Hall(16, visibility=Contest.Visibility.PRIVATE if private else Contest.Visibility.PUBLIC)
        stage = staged(hall, options={"advance": 1})
        play_on(stage, most=2)
        look = readers(hall)[who]
        matches = f"/c/{hall.contest.slug}/matches/?state=done"
        assert "2 matches found" in look([matches])[matches][1]
        freeze(hall)
        asked = public_addresses(hall, EVERYWHERE if who in ("member", "program") else ABOUT_RESULTS)
        stories = [lambda: play_on(stage), lambda: play_on(stage, weak=True, disqualify=True)]
        worlds = in_both(stories, lambda: look(asked))
        check(worlds)
        assert "2 matches found" in worlds[0][matches][1]

    def test_nothing_tells_that_something_has_happened_at_all(self) -> None:
        hall = Hall(8)
        stage = staged(hall, options={"advance": 1})
        play_on(stage, most=1)
        freeze(hall)
        check(in_both([lambda: None, lambda: play_on(stage)], stranger(hall)))

    def test_those_with_a_role_see_it_live_until_they_look_as_the_public(self) -> None:
        hall = Hall(16)
        stage = staged(hall, options={"advance": 1})
        play_on(stage, most=2)
        freeze(hall)
        stories = [lambda: play_on(stage), lambda: play_on(stage, weak=True)]
        here = f"/c/{hall.contest.slug}/"
        places = [f"{here}{place}" for place in ("standings/", f"bracket/{stage.pk}/", "matches/")]
        places += [f"{here}teams/{hall.teams[0].pk}/", f"/m/{stage.matches.latest('pk').pk}/"]
        assert differing(in_both(stories, lambda: seen(places, hall.ada))) == places
        assert differing(in_both(stories, lambda: seen([f"{here}?as=public", *places], hall.ada))) == []

    @pytest.mark.parametrize(
        ("format", "teams", "before", "options"),
        [
            ("swiss", 8, 3, {"table_size": 2, "rounds": 3, "games": 1}),
            ("round_robin", 4, 3, {"games": 1}),
            ("combinations", 4, 5, {}),
            ("ladder", 6, 5, {"table_size": 2}),
        ],
    )
    def test_other_formats(self, format: str, teams: int, before: int, options: dict) -> None:
        hall = Hall(teams)
        stage = staged(hall, format, options=options)
        play_on(stage, most=before)
        freeze(hall)
        stories = [lambda: play_on(stage, most=9), lambda: play_on(stage, weak=True, most=9)]
        check(in_both(stories, stranger(hall)))

    @pytest.mark.parametrize("who", ["stranger", "member"])
    def test_programs_that_connect(self, who: str) -> None:
        """Whether a program is connected is no result; its last matches are."""
        hall = Hall(4, game="barracuda", target=None, live=True)
        stage = staged(hall, "ladder", options={"table_size": 2})
        now = timezone.now()
        confirmed = now + timedelta(hours=1)  # however slow this machine is, nobody becomes silent between two worlds
        for team in hall.teams[:3]:
            Client.objects.create(team=team, connected_since=now, connected_from="192.0.2.1", seen_at=confirmed)
        play_on(stage, most=3)
        freeze(hall)
        here = f"/c/{hall.contest.slug}/teams/{hall.teams[0].pk}/"
        asked = [here, f"{here}program/", f"{here}program/?rev=0", f"/c/{hall.contest.slug}/bracket/{stage.pk}/"]
        asked += [f"/c/{hall.contest.slug}/{place}/" for place in ("standings", "matches")]
        stories = [lambda: play_on(stage, most=9), lambda: play_on(stage, weak=True, most=9)]
        look = readers(hall)[who]
        worlds = in_both(stories, lambda: look(asked))
        check(worlds, least=5)
        assert "Latest matches" in worlds[0][f"{here}program/"][1]

    def test_what_was_known_and_is_void_since(self) -> None:
        hall = Hall(16)
        stage = staged(hall, options={"advance": 1})
        play_on(stage)
        freeze(hall)
        first = stage.matches.done().order_by("pk")[0]

        def again(weak: bool) -> None:
            stages.void(first, hall.ada, "The hall lost its power.")
            play_on(stage, weak=weak)

        check(in_both([lambda: None, lambda: again(False), lambda: again(True)], stranger(hall)))

    def test_a_review_that_is_applied_since(self) -> None:
        hall = Hall(16)
        stage = staged(hall, options={"advance": 1})
        play_on(stage)
        first, *_, final = stage.matches.done().order_by("pk")
        review = reviews.start(stage, hall.ada, "Somebody tripped over a cable.", [first.pk])
        again = Match.objects.get(review=review)
        freeze(hall)

        def decide(weak: bool) -> None:
            play_on(stage, weak=weak, of=again)
            reviews.apply(review, hall.ada)
            play_on(stage)

        stories = [lambda: decide(False), lambda: decide(True)]
        states = in_both(stories, lambda: {"final": (0, Match.objects.get(pk=final.pk).state)})
        assert states == [{"final": (0, "done")}, {"final": (0, "void")}], "else this test tries nothing"
        worlds = in_both([lambda: None, *stories, lambda: play_on(stage, of=again)], stranger(hall))
        check(worlds)
        assert "Champion" in worlds[0][stage.get_absolute_url()][1]

    @pytest.mark.parametrize(
        ("format", "teams", "most", "options", "early"),
        [
            ("swiss", 6, 7, {"table_size": 2, "rounds": 3, "games": 1}, False),
            ("swiss", 4, 99, {"table_size": 2, "rounds": 2, "games": 1, "duplicate": True}, True),
            ("round_robin", 4, 99, {"games": 1}, False),
            ("ladder", 6, 8, {"table_size": 2}, True),
        ],
    )
    def test_in_other_formats_a_review_changes_nothing_for_the_public(
        self, format: str, teams: int, most: int, options: dict, early: bool
    ) -> None:
        """Played before the freeze (`early`) or after it, it is applied after it, and the consequences are played."""
        hall = Hall(teams)
        stage = staged(hall, format, options=options)
        play_on(stage, most=most)
        chosen = [match.pk for match in stage.matches.done().order_by("pk")[:4]]
        review = reviews.start(stage, hall.ada, "Somebody tripped over a cable.", chosen)
        again = list(review.matches.order_by("pk"))

        def play() -> None:
            for match in again:
                play_on(stage, weak=True, of=match)

        def decide(more: int) -> None:
            if not early:
                play()
            reviews.apply(review, hall.ada)
            play_on(stage, weak=True, most=more)

        if early:
            play()
        freeze(hall)
        check(in_both([lambda: None, lambda: decide(0), lambda: decide(9)], stranger(hall)))
        assert stage.matches.filter(state="void").count() == 0

    def test_who_goes_on_to_the_next_stage(self) -> None:
        hall = Hall(8)
        first = staged(hall, options={"advance": 2})
        entry = {"entry": Stage.Entry.BEST, "source": first, "best": 4, "seeding": Stage.Seeding.SOURCE}
        second = staged(hall, name="Finals", start=False, **entry)
        third = staged(hall, name="Revenge", start=False, seeding=Stage.Seeding.STANDINGS)
        play_on(first, most=1)
        freeze(hall)

        def go_on(weak: bool) -> None:
            play_on(first, weak=weak)
            for stage in (second, third):
                stage.refresh_from_db()
                stages.publish(stage, hall.ada)
                stages.start(stage, hall.ada)
                play_on(stage, weak=weak)

        check(in_both([lambda: go_on(False), lambda: go_on(True)], stranger(hall)))


@pytest.mark.long("worlds")
class TestRounds:
    @pytest.mark.parametrize("released", [0, 1])
    @pytest.mark.parametrize(
        ("format", "options"),
        [("single_elimination", {"table_size": 2, "games": 1}), ("swiss", {"table_size": 2, "rounds": 3, "games": 1})],
    )
    def test_later_rounds(self, format: str, options: dict, released: int) -> None:
        hall = Hall(8)
        stage = staged(hall, format, options=options, release=ROUNDS)
        if released:
            play_on(stage, most=4)
            releases.release(stage, hall.ada, 1)
        worlds = in_both([lambda: play_on(stage), lambda: play_on(stage, weak=True)], stranger(hall))
        check(worlds)
        page = worlds[0][f"/c/{hall.contest.slug}/bracket/{stage.pk}/"][1]
        assert ("No result of this stage is public yet" in page) is not bool(released)

    def test_a_round_is_shown_whole_when_it_is_released_and_who_meets_in_the_next(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS, release=ROUNDS)
        page = f"/c/{hall.contest.slug}/bracket/{stage.pk}/"
        play_on(stage)
        hidden = seen([page], None)[page][1]
        assert "Champion" not in hidden
        assert 'class="open"' in hidden, "nobody knows the finalists"
        releases.release(stage, hall.ada, 1)
        half = seen([page], None)[page][1]
        assert "Champion" not in half
        assert half.count("not public yet</span>") == 1, "the final"
        assert half.count(f'data-team="{hall.teams[0].pk}"') == 2
        stage.refresh_from_db()
        releases.release(stage, hall.ada, 2)
        assert "Champion" in seen([page], None)[page][1]

    @pytest.mark.parametrize("over", [False, True])
    def test_a_stage_that_is_paused_or_goes_on_because_of_a_result_that_is_not_released(self, over: bool) -> None:
        hall = Hall(8)
        stage = staged(hall, options=TWOS, release=ROUNDS)
        play_on(stage, most=99 if over else 5)
        releases.release(stage, hall.ada, 1)
        late = stage.matches.done().filter(table__round=2).order_by("pk")[0]
        here = f"/c/{hall.contest.slug}/"
        asked = [f"{here}{page}" for page in ("", "standings/", "matches/", f"bracket/{stage.pk}/", "?rev=0")]

        def again(*, pause: bool) -> None:
            stages.void(late, hall.ada, "A power cut.", hold=pause)

        def resume() -> None:
            again(pause=True)
            stages.resume(stage, hall.ada)

        worlds = in_both(
            [lambda: None, lambda: again(pause=False), lambda: again(pause=True), resume], lambda: seen(asked, None)
        )
        assert differing(worlds) == []
        stages.void(late, hall.ada, "A power cut.", hold=True)
        page = stage.get_absolute_url()
        assert "Paused" not in seen([page], None)[page][1]
        Stage.objects.filter(pk=stage.pk).update(released=2)
        assert "Paused" in seen([page], None)[page][1]

    @pytest.mark.parametrize(
        ("format", "options", "released", "who"),
        [
            pytest.param("single_elimination", TWOS, 0, "stranger", id="bracket, nothing released"),
            pytest.param("swiss", {**TWOS, "rounds": 2}, 1, "member", id="swiss"),
        ],
    )
    def test_a_void_match_of_the_next_round(self, format: str, options: dict, released: int, who: str) -> None:
        """Everybody may know who meets there. That they meet a second time follows from what is not released."""
        hall = Hall(4)
        stage = staged(hall, format, options=options, release=ROUNDS)
        play_on(stage)
        for number in range(1, released + 1):
            releases.release(stage, hall.ada, number)
        first = stage.matches.filter(table__round=released + 1).order_by("pk")[0]
        page = first.get_absolute_url()

        def void() -> None:
            stages.void(first, hall.ada, "A power cut.")

        def void_twice() -> None:
            void()
            play_on(stage, weak=True)
            stages.void(stage.matches.done().get(table=first.table), hall.ada, "A flood.")

        def and_back() -> None:
            void()
            restoring.restore(first, hall.ada, "It was another match.")

        def review() -> None:
            opened = reviews.start(stage, hall.ada, "Somebody tripped over a cable.", [first.pk])
            play_on(stage, weak=True, of=Match.objects.get(review=opened))
            reviews.apply(opened, hall.ada)

        look = readers(hall)[who]
        contest, matches = hall.contest.get_absolute_url(), range(first.pk, first.pk + stage.matches.count() + 3)
        asked = [f"{contest}{place}" for place in ("", "?rev=0", "standings/", "standings/?rev=0", "matches/")]
        asked += [stage.get_absolute_url(), hall.teams[0].get_absolute_url(), *(f"/m/{pk}/" for pk in matches)]
        worlds = in_both([lambda: None, void, void_twice, and_back, review], lambda: look(asked))
        check(worlds, least=7)
        assert worlds[1][page][0] == 200

    def test_a_void_match_of_the_next_round_in_a_freeze(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS, release=ROUNDS)
        play_on(stage)
        releases.release(stage, hall.ada, 1)
        final = stage.matches.get(table__round=2)

        def then_freeze(story: Callable[[], None]) -> Callable[[], None]:
            def told() -> None:
                story()
                freeze(hall)
                play_on(stage, weak=True)

            return told

        def void() -> None:
            stages.void(final, hall.ada, "A power cut.")

        pages = [match.get_absolute_url() for match in (final, Match(pk=final.pk + 1))]
        for told in in_both([then_freeze(lambda: None), then_freeze(void)], lambda: seen(pages, None)):
            assert [status for status, _ in told.values()] == [200, 404]

    def test_a_void_match_of_a_released_round_changes_who_meets_in_the_next(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS, release=ROUNDS)
        play_on(stage)
        releases.release(stage, hall.ada, 1)
        final = stage.matches.get(table__round=2)
        stages.void(stage.matches.filter(table__round=1).first(), hall.ada, "A power cut.")
        play_on(stage, weak=True)
        again = stage.matches.valid().get(table__round=2)
        told = seen([final.get_absolute_url(), again.get_absolute_url()], None)
        assert [status for status, _ in told.values()] == [404, 200]


def test_a_new_team_is_seen_in_a_freeze() -> None:
    """Only results are hidden; everything else is told."""
    hall = Hall(4)
    stage = staged(hall, "ladder", options={"table_size": 2})
    play_on(stage, most=1)
    freeze(hall)
    before = seen([f"/c/{hall.contest.slug}/teams/"], None)
    make_team(hall.contest, name="Latecomers")
    assert seen([f"/c/{hall.contest.slug}/teams/"], None) != before


@pytest.mark.parametrize("who", ["stranger", pytest.param("member", marks=pytest.mark.long("worlds"))])
def test_the_seed_of_a_match_is_nowhere_before_it_is_over(who: str) -> None:
    """It determines all the cards, and a connected program plays with them."""
    hall = Hall(12)
    stage = staged(hall, options={"games": 1})
    play_on(stage, most=1)
    assert play.claim(stage.matches.filter(state="queued").first().pk, "tester")
    seeds = {match.state: str(match.seed) for match in stage.matches.all()}
    reader = hall.teams[0].people()[0].user if who == "member" else None
    found = seen(public_addresses(hall, EVERYWHERE), reader)
    told = {state: {it for it, (_, text) in found.items() if seed in text} for state, seed in seeds.items()}
    assert told["queued"] == told["running"] == set()
    assert {f"/c/{hall.contest.slug}/matches.csv", f"/m/{stage.matches.get(state='done').pk}/"} <= told["done"]


@pytest.mark.long("worlds")
class TestWhatUsedToTell:
    """What a page revealed about a freeze before the ledger had a number for it."""

    def test_a_round_that_was_drawn_again_since_stays_as_it_was_known(self) -> None:
        """Voiding a match of an early round removes the drawn next one, whose pages the public has seen."""
        hall = Hall(4)
        stage = staged(hall, "swiss", options={"table_size": 2, "rounds": 3, "games": 1})
        play_on(stage, most=2)
        drawn = stage.matches.filter(table__round=2)
        pages = [match.get_absolute_url() for match in drawn]
        assert len(pages) == 2
        freeze(hall)
        early = stage.matches.filter(table__round=1).first()
        look = stranger(hall)
        worlds = in_both(
            [lambda: None, lambda: stages.void(early, hall.ada, "A power cut.")],
            lambda: {**look(), **seen(pages, None)},
        )
        check(worlds)
        assert {worlds[1][page][0] for page in pages} == {200}

    @pytest.mark.parametrize("format", ["swiss", "round_robin"])
    def test_a_bye_in_a_round_that_was_drawn_again_stays_though_the_team_leaves(self, format: str) -> None:
        hall = Hall(5)
        stage = staged(hall, format, options={**TWOS, "rounds": 3} if format == "swiss" else {"games": 1})
        play_on(stage, most=2)
        resting = hall.contest.teams.exclude(match_seats__match__table__round=2).get()
        freeze(hall)
        early = stage.matches.filter(table__round=1).first()

        def leave() -> None:
            stages.withdraw(resting, hall.ada, "Ill.")

        def void_and_leave() -> None:
            stages.void(early, hall.ada, "A power cut.")
            assert not stage.matches.valid().filter(table__round=2).exists(), "else this test tries nothing"
            leave()

        page, standings = stage.get_absolute_url(), f"{hall.contest.get_absolute_url()}standings"
        pages = [page, f"{page}?round=2", f"{standings}/?stage={stage.pk}", f"{standings}.csv?stage={stage.pk}"]
        worlds = in_both([leave, void_and_leave], lambda: seen(pages, None))
        assert differing(worlds) == []

    @pytest.mark.parametrize("most", [1, 99])
    def test_a_pause_that_a_void_match_brings(self, most: int) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS)
        play_on(stage, most=most)
        freeze(hall)
        first = stage.matches.done().first()
        stories = [
            lambda: None,
            lambda: stages.void(first, hall.ada, "A power cut.", hold=True),
            lambda: (stages.void(first, hall.ada, "A power cut.", hold=True), stages.resume(stage, hall.ada)),
        ]
        worlds = in_both(stories, stranger(hall))
        check(worlds)
        assert "Paused" not in worlds[1][stage.get_absolute_url()][1]

    def test_a_pause_of_a_stage_that_nobody_knows_to_have_started(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS, start=False)
        stages.publish(stage, hall.ada)
        freeze(hall)

        def start_and_pause() -> None:
            stages.start(stage, hall.ada)
            stages.pause(stage, hall.ada)

        check(in_both([lambda: stages.start(stage, hall.ada), start_and_pause], stranger(hall)), least=10)

    def test_a_departure_is_told_at_once(self) -> None:
        hall = Hall(4)
        stage = staged(hall, options=TWOS)
        play_on(stage, most=1)
        freeze(hall)
        page = hall.teams[0].get_absolute_url()
        leave = [lambda: None, lambda: stages.disqualify(hall.teams[0], hall.ada, "It copied a bot.")]
        worlds = in_both(leave, lambda: seen([page], None))
        assert differing(worlds) == [page]
        assert "It copied a bot." in worlds[1][page][1]
