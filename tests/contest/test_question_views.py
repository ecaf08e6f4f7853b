"""The pages about questions: who sees what, what is refused, what polls."""

from typing import Any

import pytest
from django.urls import reverse

from contest import contests, questions
from contest.models import Question
from tests.cast import Cast, make_contest, make_team
from tests.contest.test_views import text_of
from tests.tournaments.visitors import visitor

pytestmark = pytest.mark.promise


def get(cast: Cast, page: str, *args: Any, user: Any = None, **query: Any) -> Any:
    return visitor(user).get(reverse(page, args=[cast.contest.slug, *args]), query)


def post(cast: Cast, page: str, *args: Any, user: Any, **data: Any) -> Any:
    return visitor(user).post(reverse(page, args=[cast.contest.slug, *args]), data, follow=True)


def asked(cast: Cast, text: str = "Who wins a tie?") -> Question:
    return questions.ask(cast.aces, cast.bob, "Ties", text)


def test_a_member_asks_and_reads_the_answer(cast: Cast) -> None:
    page = text_of(post(cast, "questions", user=cast.bob, subject=" A\ttie ", text="Who <b>wins</b>?\n\nWho?"))
    assert "Your question was sent to the organisers." in page
    assert "A tie Your team bob asked" in page
    assert "Waiting for an answer" in page
    assert "&lt;b&gt;wins" in page
    question = Question.objects.get()
    said = text_of(post(cast, "desk-question", question.pk, user=cast.olga, answer="**Nobody** does."))
    assert "“Aces”" in said
    assert "Nobody does." in text_of(get(cast, "questions", user=cast.alice))
    for other in (cast.carl, None, cast.zoe):
        assert "A tie" not in text_of(get(cast, "questions", user=other))


def test_what_is_answered_to_all_does_not_name_the_team(cast: Cast) -> None:
    question = asked(cast)
    said = text_of(post(cast, "desk-question", question.pk, user=cast.olga, answer="Nobody", to_all="on"))
    assert "Your answer is public" in said
    for other in (cast.carl, None):
        page = text_of(get(cast, "questions", user=other))
        assert "Who wins a tie?" in page
        assert "A team asked" in page
        assert not any(name in page for name in ("Aces", "bob", "alice"))


def test_the_team_is_told_that_something_is_new(cast: Cast) -> None:
    question = asked(cast)
    questions.answer(question, cast.olga, "Nobody", to_all=False, seen=None)
    contests.announce(cast.contest, cast.olga, "Lunch")
    overview = text_of(get(cast, "contest", user=cast.alice))
    assert "Messages 2 new" in overview
    assert "There are 2 new answers or announcements for you" in overview
    first = text_of(get(cast, "questions", user=cast.alice))
    assert "Ties New" in first
    assert "Lunch New" in first
    second = text_of(get(cast, "questions", user=cast.alice))
    assert "New" not in second.replace("New contest", "")
    assert "new to you" not in text_of(get(cast, "contest", user=cast.alice))


def test_a_second_answer_over_the_first_is_refused(cast: Cast) -> None:
    question = asked(cast)
    questions.answer(question, cast.ada, "Nobody", to_all=False, seen=None)
    page = post(cast, "desk-question", question.pk, user=cast.olga, answer="Everybody", seen="")
    assert page.status_code == 422
    assert "ada has answered in the meantime" in text_of(page)
    question.refresh_from_db()
    seen = question.answered_at.isoformat()
    post(cast, "desk-question", question.pk, user=cast.olga, answer="Everybody", seen=seen, to_all="on")
    question.refresh_from_db()
    assert (question.answer, question.to_all, question.answered_by) == ("Everybody", True, cast.olga)
    assert post(cast, "desk-question", question.pk, user=cast.olga, answer="x", seen="nonsense").status_code == 422


def test_a_notice_to_one_team(cast: Cast) -> None:
    said = text_of(post(cast, "desk-questions", user=cast.olga, team=cast.clubs.pk, subject="Your bot", text="Slow."))
    assert "“Clubs” will find the message" in said
    page = text_of(get(cast, "questions", user=cast.carl))
    assert "Your bot New To your team" in page
    assert "Slow." in page
    assert "Your bot" not in text_of(get(cast, "questions", user=cast.alice))
    other = make_team(make_contest())
    wrong = post(cast, "desk-questions", user=cast.olga, team=other.pk, subject="x", text="y")
    assert wrong.status_code == 422


@pytest.mark.parametrize(("page", "who"), [("questions", "alice"), ("questions", None), ("desk-questions", "olga")])
def test_the_live_part_answers_when_something_has_changed(cast: Cast, page: str, who: str | None) -> None:
    client = visitor(who and getattr(cast, who))
    url = reverse(page, args=[cast.contest.slug])
    headers = {"HX-Request": "true"}
    revision = client.get(url).context["revision"]
    assert client.get(url, {"rev": revision}, headers=headers).status_code == 204
    question = asked(cast)
    questions.answer(question, cast.olga, "Nobody", to_all=True, seen=None)
    live = client.get(url, {"rev": revision}, headers=headers)
    assert live.status_code == 200
    assert live.content.strip().startswith(b'<div id="live"')
    assert b"Ties" in live.content
