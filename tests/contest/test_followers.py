"""Reactions to the ledger: in order, nothing lost, nothing twice, and one bad entry keeps nobody waiting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from django.db import transaction

from contest import followers, ledger
from contest.followers import Reaction
from contest.ledger import Fact, hold
from contest.models import Follower, Kind, LedgerEntry, Team
from contest.tasks import follow
from tests.cast import make_contest, make_team

pytestmark = [pytest.mark.promise, pytest.mark.django_db]

OUT, BACK = Kind.TEAM_DISQUALIFIED, Kind.TEAM_REINSTATED


class Dead(BaseException):
    """The process is gone."""


class Watcher:
    """Writes down what it is handed; may fail at some entries, or die after the next ones."""

    def __init__(self, name: str = "watcher", *, woken: bool = True) -> None:
        kinds = frozenset({OUT})
        self.reaction = Reaction(name, kinds, self.react, kinds if woken else frozenset())
        self.had: list[int] = []
        self.bad: set[int] = set()
        self.dies = False

    def react(self, entries: Sequence[LedgerEntry]) -> None:
        for entry in entries:
            if entry.number in self.bad:
                raise ValueError(f"entry {entry.number}")
            self.had.append(entry.number)
        if self.dies:
            raise Dead

    def row(self) -> Follower:
        return Follower.objects.get(name=self.reaction.name)


@pytest.fixture
def team() -> Team:
    return make_team(make_contest())


@pytest.fixture
def watcher(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watcher]:
    watcher = Watcher()
    monkeypatch.setattr(followers, "reactions", lambda: (watcher.reaction,))
    return watcher


def write(team: Team, *kinds: Kind) -> int:
    with transaction.atomic():
        return ledger.write(hold(team.contest_id), *(Fact(kind, team=team.pk) for kind in kinds))


def test_entries_come_in_order_and_once_and_others_are_passed_by(team: Team, watcher: Watcher) -> None:
    write(team, OUT, BACK, OUT)
    write(team, OUT, BACK)
    follow(team.contest_id)
    assert watcher.had == [1, 3, 4]
    assert watcher.row().number == 5
    follow(team.contest_id)
    assert watcher.had == [1, 3, 4]


def test_it_is_woken_on_commit_by_what_concerns_it(
    team: Team, watcher: Watcher, django_capture_on_commit_callbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[str, list[int]]] = []
    monkeypatch.setattr(followers.current_app, "send_task", lambda name, args: sent.append((name, args)))
    with django_capture_on_commit_callbacks(execute=True):
        write(team, OUT)
        assert sent == [], "not before the commit"
    assert sent == [(follow.name, [team.contest_id])]
    with django_capture_on_commit_callbacks(execute=True):
        write(team, BACK)
    assert len(sent) == 1


def test_nobody_is_woken_for_a_contest_that_does_not_concern_it(
    team: Team, watcher: Watcher, django_capture_on_commit_callbacks, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[list[int]] = []
    monkeypatch.setattr(followers.current_app, "send_task", lambda name, args: sent.append(args))
    concerned = replace(watcher.reaction, concerns=lambda contest_id: contest_id == team.contest_id)
    monkeypatch.setattr(followers, "reactions", lambda: (concerned,))
    other = make_team(make_contest())
    with django_capture_on_commit_callbacks(execute=True):
        for each in (team, other):
            write(each, OUT)
    assert sent == [[team.contest_id]]


def test_what_was_not_woken_is_caught_up_by_the_tick(team: Team, watcher: Watcher) -> None:
    other = make_team(make_contest())
    for each in (team, other):
        write(each, OUT)
    followers.catch_up()
    assert watcher.had == [1, 1]
    assert not followers.behind(watcher.reaction).exists()


def test_a_process_that_dies_after_the_effect_lets_the_next_one_have_it_again(team: Team, watcher: Watcher) -> None:
    write(team, OUT, OUT)
    watcher.dies = True
    with pytest.raises(Dead):
        follow(team.contest_id)
    watcher.dies = False
    followers.catch_up()
    assert watcher.had == [1, 2, 1, 2]
    followers.catch_up()
    assert watcher.had == [1, 2, 1, 2]


def test_an_entry_that_fails_is_tried_again_and_then_passed_over(team: Team, watcher: Watcher) -> None:
    write(team, OUT, OUT, OUT)
    watcher.bad = {2}
    for tries in range(1, followers.TRIES):
        followers.catch_up()
        assert watcher.had[-1] == 1, "order is kept"
        assert (watcher.row().number, watcher.row().tries) == (1, tries)
    followers.catch_up()
    assert watcher.had[-1] == 3
    assert (watcher.row().number, watcher.row().tries, watcher.row().passed_over) == (3, 0, [2])


def test_an_entry_that_fails_for_a_while_is_not_lost(team: Team, watcher: Watcher) -> None:
    write(team, OUT, OUT)
    watcher.bad = {1}
    followers.catch_up()
    watcher.bad = set()
    followers.catch_up()
    assert watcher.had == [1, 2]
    assert (watcher.row().tries, watcher.row().passed_over) == (0, [])


def test_one_reaction_in_trouble_keeps_no_other_from_its_work(
    team: Team, watcher: Watcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = Watcher("bad")
    bad.bad = {1}
    monkeypatch.setattr(followers, "reactions", lambda: (bad.reaction, watcher.reaction))
    write(team, OUT)
    follow(team.contest_id)
    assert watcher.had == [1]
    assert (bad.row().number, bad.row().tries) == (0, 1)
