"""The organisers' desk."""

from typing import Any

from django.urls import reverse

from contest import contests, roster, teams
from contest.models import Team
from tests.cast import Cast
from tests.contest.test_views import text_of
from tests.tournaments.visitors import visitor


def get(cast: Cast, page: str, *args: Any, user: Any = None, **query: Any) -> Any:
    return visitor(user or cast.olga).get(reverse(page, args=[cast.contest.slug, *args]), query)


def test_a_judge_is_not_given_the_code_that_would_let_him_in(cast: Cast) -> None:
    code = Team.objects.get(pk=cast.aces.pk).code
    assert code in get(cast, "desk-team", cast.aces.pk).text
    page = get(cast, "desk-team", cast.aces.pk, user=cast.judy).text
    assert "alice@example.org" in page
    assert code not in page


# The audit log --------------------------------------------------------------------------------------------------------


def test_the_audit_log_is_filtered_by_person_action_and_word(cast: Cast) -> None:
    teams.disqualify(cast.clubs, cast.olga, "copied a bot from Zoë")
    contests.edit(cast.contest, cast.ada, {"memory_mb": 8})
    rows = lambda **query: text_of(get(cast, "desk-audit-log", **query)).partition("Why")[2]  # noqa: E731
    assert "Disqualify team: Clubs Before: taking part copied a bot from Zoë" in rows()
    assert "memory mb: 4 → 8" in rows(verb="change settings")
    assert "Disqualify" not in rows(verb="change settings")
    assert "Disqualify" in rows(who=cast.olga.pk)
    assert "Change settings" not in rows(who=cast.olga.pk)
    for words in ("COPIED", "ｃｏｐｉｅｄ", "ZOE\u0308", "clubs"):
        assert "Disqualify" in rows(q=words)
    assert "Nothing yet." in text_of(get(cast, "desk-audit-log", q="xyzzy"))
    for nonsense in ({"who": "x"}, {"who": "9" * 40}, {"verb": "dance"}, {"q": "\0"}, {"q": "x" * 500}):
        assert "Disqualify" in rows(**nonsense)


def test_a_team_of_a_list_has_a_history(cast: Cast) -> None:
    owls, _ = roster.enter(cast.contest, cast.olga, roster.read(cast.contest, "Owls\nLarks"))
    found = {team: get(cast, "desk-team", team.pk).context["acts"] for team in (owls, cast.aces)}
    assert [act.verb for act in found[owls]] == ["import teams"]
    assert "import teams" not in [act.verb for act in found[cast.aces]]
