"""Times in words, tabs, badges, pages."""

from datetime import UTC, datetime
from typing import Any

from django.core.paginator import Paginator
from django.template import Context, Template
from django.test import RequestFactory
from django.urls import resolve

from contest.templatetags import contest_tags
from tests.cast import Cast


def test_moments_are_said_with_their_zone(settings: Any) -> None:
    moment = datetime(2026, 7, 4, 16, 5, tzinfo=UTC)
    assert contest_tags.when(moment) == (
        '<time datetime="2026-07-04T16:05:00+00:00">Sat 4 Jul 2026, 16:05\N{NO-BREAK SPACE}UTC</time>'
    )
    settings.TIME_ZONE = "America/Denver"
    assert "Sat 4 Jul 2026, 10:05\N{NO-BREAK SPACE}MDT" in contest_tags.when(moment)
    assert contest_tags.zone_name().startswith("America/Denver (M")
    assert contest_tags.when(None) == contest_tags.from_now(None) == ""


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
