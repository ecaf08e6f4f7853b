"""Times in words, tabs, badges, pages."""

from typing import Any

from django.core.paginator import Paginator
from django.template import Context, Template
from django.test import RequestFactory
from django.urls import resolve

from tests.cast import Cast


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
