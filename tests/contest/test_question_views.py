"""The pages about questions: who sees what, what is refused, what polls."""

from typing import Any

import pytest
from django.urls import reverse

from contest import questions
from contest.models import Question
from tests.cast import Cast
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
