"""The public pages in every state of a contest, and entering."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.paginator import Paginator
from django.db import connection
from django.template import Context, Template
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse
from django.utils import timezone

from contest import contests, teams
from contest.models import Contest, Membership, Team
from games import GAMES, kits
from tests.cast import Cast, make_contest, make_team, make_user
from tests.tournaments.visitors import visitor
from tournaments.models import Stage


def text_of(response: Any) -> str:
    """The main part of a page without tags, with single blanks."""
    html = response.content.decode()
    main = html[html.index("<main") : html.index("</main>")]
    words = " ".join(re.sub(r"<[^>]+>", " ", main).split())
    return re.sub(r" ([.,;:])", r"\1", words)


def contest_page(cast: Cast, user: Any = None) -> str:
    return text_of(visitor(user).get(reverse("contest", args=[cast.contest.slug])))


# The contest's page and its checklist ---------------------------------------------------------------------------------


def test_published_stages_can_be_watched_and_drafts_cannot(cast: Cast) -> None:
    stage = Stage.objects.create(contest=cast.contest, name="Grand Final", seed=1)
    assert "Wait for the next stage" in contest_page(cast, cast.alice)
    assert "Grand Final" not in contest_page(cast, cast.alice)
    stage.state = Stage.State.PUBLISHED
    stage.save()
    assert "Watch it play: Grand Final" in contest_page(cast, cast.alice)
    stage.starts_at = timezone.now() + timedelta(hours=2, minutes=1)
    stage.save()
    assert "Watch it play: Grand Final starts in 2 hours" in contest_page(cast, cast.alice)
    stage.starts_at = timezone.now() - timedelta(minutes=2)
    stage.save()
    assert "Watch it play: Grand Final should have started 2 minutes ago" in contest_page(cast, cast.alice)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (teams.disqualify, "Your team “Clubs” is disqualified. copied a bot"),
        (teams.withdraw, "Your team “Clubs” has withdrawn. Your captain can bring it back until entry closes"),
    ],
)
def test_a_team_that_is_out_reads_why(cast: Cast, action: Any, words: str) -> None:
    action(cast.clubs, cast.olga, "copied a bot")
    assert words in contest_page(cast, cast.carl)


def test_announcements_are_shown_the_newest_first_and_old_ones_folded(cast: Cast) -> None:
    for number in range(7):
        contests.announce(cast.contest, cast.olga, f"News {number}", "**Bring** cake")
    page = contest_page(cast)
    assert [int(number) for number in re.findall(r"News (\d)", page)] == [6, 5, 4, 3, 2, 1, 0]
    assert "2 older" in page


@pytest.mark.parametrize(("visibility", "hidden"), [("public", False), ("unlisted", True), ("private", True)])
def test_search_engines_keep_out_of_what_is_not_public(cast: Cast, visibility: str, hidden: bool) -> None:
    Contest.objects.update(visibility=visibility)
    html = visitor(cast.alice).get(reverse("contest", args=[cast.contest.slug])).content.decode()
    assert ('<meta name="robots" content="noindex">' in html) is hidden


def test_what_strangers_write_is_escaped(cast: Cast) -> None:
    teams.edit(cast.aces, cast.alice, "<script>alert(1)</script>", "<b>")
    Contest.objects.update(blurb="<i>x</i>", description="<script>alert(2)</script>")
    for name in ("contest", "teams"):
        html = visitor().get(reverse(name, args=[cast.contest.slug])).content.decode()
        assert "<script>alert" not in html
        assert "<i>x</i>" not in html


def test_an_open_page_learns_what_is_new_and_nothing_else(cast: Cast) -> None:
    client, url = visitor(cast.alice), reverse("contest", args=[cast.contest.slug])
    poll = re.search(r'hx-get="([^"]+)"', client.get(url).content.decode())
    assert poll
    again = client.get(poll[1], headers={"HX-Request": "true"})
    assert (again.status_code, again.content) == (204, b"")
    contests.announce(cast.contest, cast.olga, "Lunch")
    news = client.get(poll[1], headers={"HX-Request": "true"}).content.decode()
    assert "Lunch" in news
    assert "<html" not in news
    assert poll[1] not in news
    assert "<html" in client.get(poll[1]).content.decode()
    contests.end(cast.contest, cast.ada, "all played")
    assert "hx-get" not in client.get(poll[1], headers={"HX-Request": "true"}).content.decode()


# Rules and kits -------------------------------------------------------------------------------------------------------


def test_the_rules_page_names_the_server_of_tcp_clients(db: None) -> None:
    contest = make_contest(game="barracuda", preset="barracuda-2014")
    page = text_of(visitor().get(reverse("rules", args=[contest.slug])))
    assert "last two arguments of your program; also cuda.contest, ports 9999 and 19999 Memory" in page
    assert "Emacs Lisp, to connect from your own machine" in page
    assert visitor().get(reverse("kit", args=[contest.slug, "elisp"])).status_code == 200


@pytest.fixture
def few_kits(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in games that come from elsewhere: not every language has a kit."""
    for game in GAMES.values():
        few = {language: game.kit_sources[language] for language in ("c", "python")}
        monkeypatch.setattr(type(game), "kit_sources", few)


@pytest.mark.usefixtures("few_kits")
def test_kits_are_of_the_languages_that_the_contest_allows(cast: Cast) -> None:
    rules = reverse("rules", args=[cast.contest.slug])
    with_kit = kits.kit_names(cast.contest.game)
    Contest.objects.update(languages=["python", "tcl"])
    assert with_kit == ("c", "python", "all")
    answer = visitor().get(rules)
    html = answer.content.decode()
    assert [name for name in with_kit if reverse("kit", args=[cast.contest.slug, name]) in html] == ["python", "all"]
    page = text_of(answer)
    assert "There is no kit for Tcl." in page
    assert "includes languages this contest does not allow" in page
    Contest.objects.update(languages=list(with_kit[:-1]))
    page = text_of(visitor().get(rules))
    assert "without a kit" not in page
    assert "not allowed in this contest" not in page


# Teams ----------------------------------------------------------------------------------------------------------------


def many_teams(contest: Contest, count: int) -> None:
    made = Team.objects.bulk_create(
        [Team(contest=contest, name=f"Team {n:03}", school=f"School {n % 7}") for n in range(count)]
    )
    people = [make_user() for _ in range(3)]
    for team, user in zip(made, people, strict=False):
        Membership.objects.create(team=team, contest=contest, user=user)


def test_the_list_hides_who_waits_and_marks_who_is_out(cast: Cast) -> None:
    Contest.objects.update(approval_required=True)
    cast.contest.refresh_from_db()
    make_team(cast.contest, name="Still waiting")
    teams.disqualify(cast.clubs, cast.olga, "copied")
    page = text_of(visitor(cast.alice).get(reverse("teams", args=[cast.contest.slug])))
    assert "Still waiting" not in page
    assert "Clubs Disqualified" in page
    assert "Aces Yours" in page


DESK = ("desk", "desk-teams", "desk-seeds", "desk-audit-log", "desk-people", "desk-teams-csv")


@pytest.mark.parametrize(
    ("name", "who"),
    [
        *((name, who) for name in ("home", "contest", "teams", "rules") for who in (None, "alice", "ada")),
        *((name, "olga") for name in DESK),
    ],
)
def test_the_number_of_queries_does_not_grow(
    cast: Cast, name: str, who: str | None, django_assert_max_num_queries: Any
) -> None:
    client = visitor(who and getattr(cast, who))
    url = reverse(name) if name == "home" else reverse(name, args=[cast.contest.slug])
    with CaptureQueriesContext(connection) as few:
        client.get(url)
    many_teams(cast.contest, 200)
    for _ in range(10):
        make_contest(cast.ada)
        contests.announce(cast.contest, make_user(), "News")
    with django_assert_max_num_queries(len(few)):
        assert client.get(url).status_code == 200
    assert len(few) <= (36 if who == "olga" else 18)


# Entering -------------------------------------------------------------------------------------------------------------


def enter(user: Any, contest: Contest, **data: str) -> Any:
    return visitor(user).post(reverse("enter", args=[contest.slug]), data, follow=True)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"create": "", "name": ""}, "This field is required."),
        ({"create": "", "name": "aces"}, "already has a team called “aces”"),
        ({"create": "", "name": "x" * 61}, "at most 60 characters"),
        ({"join": "", "code": ""}, "This field is required."),
        ({"join": "", "code": "wrong"}, "No team of this contest has this code."),
    ],
)
def test_what_is_refused_says_why_and_keeps_what_was_typed(cast: Cast, data: dict[str, str], words: str) -> None:
    response = enter(cast.zoe, cast.contest, **data)
    assert response.status_code == 422
    assert words in text_of(response)
    for typed in data.values():
        assert f'value="{typed}"' in response.content.decode() or not typed
    assert not Membership.objects.filter(user=cast.zoe).exists()


@pytest.mark.parametrize("press", [{}, {"create": ""}])
def test_the_code_of_a_team_lets_a_stranger_join_it_and_nothing_else(cast: Cast, press: dict[str, str]) -> None:
    Contest.objects.update(visibility="private")
    url = reverse("enter", args=[cast.contest.slug])
    page = visitor(cast.zoe).get(url, {"code": cast.clubs.code})
    assert f'value="{cast.clubs.code}"' in page.text
    assert ["Join Clubs" in text_of(page), "Enter the team" in text_of(page)] == [True, False]
    stranger = visitor(cast.zoe)
    data = {"name": "Intruders", "school": "none", **press}
    assert stranger.post(f"{url}?code={cast.clubs.code}", data).status_code == 404
    assert stranger.post(url, {**data, "code": cast.clubs.code}).status_code == 404
    assert cast.contest.teams.count() == 2
    assert "You are now a member" in text_of(stranger.post(url, {"join": "", "code": cast.clubs.code}, follow=True))


# Pages that do not exist ----------------------------------------------------------------------------------------------


def test_what_is_missing_or_forbidden_says_so_in_our_frame(cast: Cast) -> None:
    missing = visitor().get("/c/nothing/")
    assert missing.status_code == 404
    assert "not in the pack" in text_of(missing)
    assert "?next=%2Fc%2Fnothing%2F" in missing.content.decode()
    forbidden = visitor(cast.zoe).get(reverse("desk", args=[cast.contest.slug]))
    assert "Your role in this contest does not allow this. You are logged in as zoe." in text_of(forbidden)


def in_template(text: str, path: str, cast: Cast, **extra: Any) -> str:
    request = RequestFactory().get(path)
    request.user = cast.ada
    request.resolver_match = resolve(request.path)
    context = {"request": request, "user": cast.ada, "contest": cast.contest, **extra}
    return Template("{% load contest_tags %}" + text).render(Context(context))


def test_a_pager_keeps_the_rest_of_the_query(cast: Cast) -> None:
    page = Paginator(range(120), 50).page(2)
    html = in_template('{% pager page "teams" %}', "/?q=a%26b&page=2", cast, page=page)
    assert "Page 2 of 3, 120 teams" in html
    assert "?q=a%26b&amp;page=1" in html
    assert "?q=a%26b&amp;page=3" in html
    polled = in_template('{% pager page "games" "list" %}', "/?rev=7&page=2", cast, page=page)
    assert 'href="?page=1#list"' in polled, "the link of a live part leads to the whole page"
    assert "rev" not in polled.replace('rel="prev"', "").replace("Previous", "")
    single = Paginator(range(5), 50).page(1)
    assert in_template("{% pager page %}", "/", cast, page=single) == ""
