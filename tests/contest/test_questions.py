"""Teams' questions, the audience of answers, and what is new to whom."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from contest import contests, questions
from contest.models import Membership, Question
from contest.refusal import Refused
from tests.cast import Cast


def asked(cast: Cast, subject: str = "Ties", text: str = "Who wins one?") -> Question:
    return questions.ask(cast.aces, cast.bob, subject, text)


def answer(question: Question, cast: Cast, text: str = "Nobody.", *, to_all: bool = False) -> Question:
    question.refresh_from_db()
    questions.answer(question, cast.olga, text, to_all=to_all, seen=question.answered_at)
    question.refresh_from_db()
    return question


def heard(cast: Cast, team: object) -> list[str]:
    return sorted(cast.contest.questions.heard_by(team).values_list("subject", flat=True))  # type: ignore[arg-type]


def test_what_is_to_be_shown_to_all_is_not_shown_before_it_is_answered(cast: Cast) -> None:
    question = asked(cast)
    Question.objects.update(to_all=True)
    assert heard(cast, None) == []
    assert question.answered_at is None


def test_a_notice_is_for_its_team(cast: Cast) -> None:
    notice = questions.tell(cast.clubs, cast.olga, "Your bot", "It is slow.")
    assert notice.is_notice
    assert heard(cast, cast.clubs) == ["Your bot"]
    assert heard(cast, cast.aces) == []
    assert not cast.contest.questions.waiting()
    with pytest.raises(Refused, match="post an announcement"):
        answer(notice, cast, to_all=True)


def test_a_team_cannot_flood_the_organisers(cast: Cast) -> None:
    asked(cast)
    with pytest.raises(Refused, match="already asked exactly this"):
        asked(cast, "Again")
    for number in range(questions.MOST_IN_AN_HOUR - 1):
        asked(cast, text=f"Why {number}?")
    with pytest.raises(Refused, match="6 questions in the last hour"):
        asked(cast, text="Why?")
    questions.ask(cast.clubs, cast.carl, "Others", "may still ask.")
    later = timezone.now() + timedelta(hours=2)
    for number in range(questions.MOST_WAITING - questions.MOST_IN_AN_HOUR):
        questions.ask(cast.aces, cast.bob, "Later", f"Why {number}, later?", now=later)
    with pytest.raises(Refused, match="10 unanswered questions"):
        questions.ask(cast.aces, cast.bob, "Much later", "Why?", now=later + timedelta(hours=2))


def test_the_question_that_has_waited_longest_comes_first(cast: Cast) -> None:
    first, second, third = (asked(cast, text=f"{number}?") for number in range(3))
    answer(second, cast)
    assert list(cast.contest.questions.waiting()) == [first, third]
    answer(first, cast)
    assert list(cast.contest.questions.answered()) == [first, second]


def test_what_is_new_is_counted_until_it_is_read(cast: Cast) -> None:
    def new(user: object) -> int:
        member = Membership.objects.select_related("team", "contest").get(user=user)  # type: ignore[misc]
        with CaptureQueriesContext(connection) as asked:
            count = questions.unread(member)
        assert len(asked) == 1
        return count

    question = asked(cast)
    assert new(cast.alice) == 0
    answer(question, cast)
    contests.announce(cast.contest, cast.olga, "Lunch")
    assert (new(cast.alice), new(cast.bob), new(cast.carl)) == (2, 2, 1)
    questions.read(Membership.objects.get(user=cast.alice), cast.contest.announcements.get().posted_at)
    assert (new(cast.alice), new(cast.bob)) == (0, 2)
    answer(question, cast, "Everybody.", to_all=True)
    assert (new(cast.alice), new(cast.bob), new(cast.carl)) == (1, 2, 2)
    before = Membership.objects.get(user=cast.alice).read_at
    questions.read(Membership.objects.get(user=cast.alice), timezone.now() - timedelta(days=1))
    assert Membership.objects.get(user=cast.alice).read_at == before
