"""Notes on replays: who may write, read and remove them, and what a person can take along."""

from __future__ import annotations

import pytest
from django.urls import reverse

from contest.models import Act, Contest, User
from contest.permissions import access_of
from contest.refusal import Refused
from tests.cast import Cast, make_cast
from tests.tournaments import scenes
from tests.tournaments.practice import gym
from tests.tournaments.visitors import seen, visitor
from tests.tournaments.worlds import differing, in_both
from tournaments import notes
from tournaments.models import Match, Note
from tournaments.notes import Audience, Place, Wish
from tournaments.organising import releases

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return make_cast(options={"target": 25})


@pytest.fixture
def match(cast: Cast) -> Match:
    scenes.arm(cast.aces, cast.clubs)
    return scenes.play_match(scenes.stage_of(cast.contest, "Cup").matches.get())


def write(user: User, match: Match, text: str = "Why the king?", audience: str = "team") -> Note:
    match.contest.refresh_from_db()
    access = access_of(user, match.contest)
    return notes.write(access, user, Place(match.contest, match=match), Wish(text, audience, 7, "Trick 2"))


def page(match: Match, user: User | None) -> str:
    return visitor(user).get(reverse("replay", args=[match.pk, 1])).text


def allow(contest: Contest) -> None:
    Contest.objects.filter(pk=contest.pk).update(public_notes=True)


def test_a_teams_note_is_for_the_team_alone(cast: Cast, match: Match) -> None:
    write(cast.carl, match, "Our *secret*")
    assert "Our <em>secret</em>" in page(match, cast.carl)
    for other in (None, cast.zoe, cast.alice, cast.judy, cast.olga, cast.ada):
        assert "secret" not in page(match, other)


def test_people_with_a_role_have_notes_among_themselves(cast: Cast, match: Match) -> None:
    write(cast.judy, match, "Look at this", "desk")
    assert "Look at this" in page(match, cast.olga)
    assert "Look at this" not in visitor(cast.olga).get(f"{reverse('replay', args=[match.pk, 1])}?as=public").text
    for other in (None, cast.carl, cast.alice):
        assert "Look at this" not in page(match, other)


def test_public_notes_are_for_contests_that_want_them(cast: Cast, match: Match) -> None:
    with pytest.raises(Refused, match="cannot write notes for these readers"):
        write(cast.carl, match, "For all", "public")
    allow(cast.contest)
    write(cast.carl, match, "For all <script>", "public")
    assert "For all &lt;script&gt;" in page(match, None)
    Contest.objects.filter(pk=cast.contest.pk).update(public_notes=False)
    assert "For all" not in page(match, None), "the organisers changed their mind"
    assert "For all" in page(match, cast.carl), "it is still the team's own"
    write(cast.olga, match, "From the organisers", "public")
    assert "From the organisers" in page(match, None)


# Removing -------------------------------------------------------------------------------------------------------------


def remove(user: User | None, note: Note) -> int:
    return visitor(user).post(reverse("note-remove", args=[note.pk])).status_code


def test_organisers_remove_public_notes_and_the_audit_log_says_so(cast: Cast, match: Match) -> None:
    allow(cast.contest)
    note = write(cast.carl, match, "Rude words", "public")
    assert [remove(who, note) for who in (None, cast.alice, cast.judy)] == [302, 302, 302]
    assert Note.objects.filter(pk=note.pk).exists()
    assert remove(cast.olga, note) == 302
    assert not Note.objects.exists()
    act = Act.objects.get(verb="remove note")
    assert (act.user, act.target, act.data["was"]) == (cast.olga, str(match), "Rude words")


def test_a_private_note_does_not_exist_for_others(cast: Cast, match: Match) -> None:
    note = write(cast.carl, match)
    for other in (None, cast.zoe, cast.alice, cast.judy, cast.olga):
        assert remove(other, note) == 404
    assert remove(cast.carl, note) == 302
    assert not Note.objects.exists()
    assert not Act.objects.filter(verb="remove note").exists()


# What is hidden -------------------------------------------------------------------------------------------------------


def test_notes_tell_nothing_of_a_hidden_match(cast: Cast) -> None:
    scenes.arm(cast.aces, cast.clubs)
    allow(cast.contest)
    waiting = scenes.stage_of(cast.contest, "Cup").matches.get()
    releases.freeze(cast.contest, cast.olga)
    cast.contest.refresh_from_db()

    def story() -> None:
        scenes.play_match(waiting, reconcile=False)
        write(cast.olga, waiting, "Clubs have won", "public")
        Note.objects.create(
            contest=cast.contest,
            match=waiting,
            ply=1,
            where="x",
            author=cast.carl,
            team=cast.clubs,
            text="Oh",
            audience="public",
        )

    asked = [cast.contest.get_absolute_url(), reverse("replay", args=[waiting.pk, 1]), waiting.get_absolute_url()]
    for who in (None, cast.carl):
        worlds = in_both([lambda: scenes.play_match(waiting, reconcile=False), story], lambda who=who: seen(asked, who))
        assert differing(worlds) == []

    scenes.play_match(waiting, reconcile=False)
    note = write(cast.olga, waiting, "Clubs have won", "public")
    for who in (cast.carl, cast.zoe):
        assert remove(who, note) == 404
        url = reverse("note-write", args=[waiting.pk, 1])
        assert visitor(who).post(url, {"text": "x", "audience": "team"}).status_code == 404
    releases.lift(cast.contest, cast.olga)
    assert "Clubs have won" in page(waiting, None)


def test_notes_on_practice_are_for_the_team() -> None:
    contest, (team, other) = gym.gym()
    order = gym.order(team, games=1)
    gym.play_with_house(order)
    user, stranger = (each.people()[0].user for each in (team, other))
    url = reverse("practice-note", args=[contest.slug, order.pk, 1])
    assert visitor(stranger).post(url, {"text": "x", "audience": "team"}).status_code == 404
    assert visitor(user).post(url, {"text": "x", "audience": "public"}).status_code == 422
    answer = visitor(user).post(url, {"text": "Lost here", "audience": "team", "ply": "4"})
    note = Note.objects.get()
    assert answer["Location"] == f"{note.href}#notes"
    assert "Lost here" in visitor(user).get(note.href).text
    assert remove(stranger, note) == 404
    assert remove(user, note) == 302


def test_a_person_takes_their_notes_along_and_leaves_none(cast: Cast, match: Match) -> None:
    write(cast.carl, match, "Mine")
    write(cast.olga, match, "Hers", "desk")
    (told,) = notes.export_of(cast.carl)
    assert told["text"] == "Mine"
    assert told["address"] == f"/m/{match.pk}/1/?ply=7"
    assert notes.forget(cast.carl) == 1
    assert [note.text for note in Note.objects.all()] == ["Hers"]
    assert Audience.TEAM.label == "Your team"
