"""News as an Atom feed (RFC 4287)."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.feedgenerator import Atom1Feed

from tournaments.models import NewsItem

MOST = 60
SECONDS = 300  # that readers may keep a feed
BEGINNING = datetime(2020, 1, 1, tzinfo=UTC)


UNTOLD = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""What people can type and no XML can hold."""


class AtomFeed(Atom1Feed):
    """Its time is that of the newest entry, so a feed without news is the same whenever somebody asks."""

    def latest_post_date(self) -> datetime:
        return max((item["pubdate"] for item in self.items), default=BEGINNING)


def atom(request: HttpRequest, title: str, path: str, news: QuerySet[NewsItem], *, private: bool) -> HttpResponse:
    feed = AtomFeed(
        title=_plain(f"{title} · Kibitz"),
        link=request.build_absolute_uri(path),
        feed_url=request.build_absolute_uri(request.path),
        description="",
        language="en",
    )
    for item in news[:MOST]:
        feed.add_item(
            title=_plain(item.title),
            link=request.build_absolute_uri(item.path),
            description=_plain(f"{item.text} ({item.contest.name})" if item.text else item.contest.name),
            unique_id=f"tag:{request.get_host()},2026:{item.contest.slug}/{item.name}",
            pubdate=item.at,
            updateddate=item.at,
        )
    response = HttpResponse(feed.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")
    patch_cache_control(response, private=private, public=not private, max_age=SECONDS)
    return response


def _plain(text: str) -> str:
    return UNTOLD.sub(" ", text)
