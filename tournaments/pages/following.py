"""What a person follows, its news, and the feeds that everybody can subscribe to."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest.guesses import code_page
from contest.models import Contest
from contest.paging import page_of
from contest.permissions import contest_page, me
from contest.refusal import refusals_told
from tournaments.feeds import changes, reading
from tournaments.feeds.reading import must_be_visible
from tournaments.models import FollowSettings, NewsItem
from tournaments.webhooks import views

SIZE = 40


class DigestForm(forms.Form):
    digest = forms.ChoiceField(
        label="Email me this news", choices=FollowSettings.Digest.choices, required=False, widget=forms.RadioSelect
    )


@require_safe
@login_required
def following(request: HttpRequest) -> HttpResponse:
    user = me(request)
    settings = changes.settings_of(user)
    context = {
        "follows": reading.follows_of(user),
        "page": page_of(request, reading.followed_by(user), SIZE),
        "form": DigestForm(initial={"digest": settings.digest}),
        "stopped": views.stopped_of(user),
        "feed": request.build_absolute_uri(reverse("following-feed", args=[settings.key])),
        "calendar": request.build_absolute_uri(reverse("personal-calendar", args=[settings.key])),
    }
    return render(request, "tournaments/following.html", context)


@require_POST
@login_required
def following_act(request: HttpRequest, act: str) -> HttpResponse:
    """Choose the digest, or make the address of the private feed anew."""
    if act == "digest":
        form = DigestForm(request.POST)
        if form.is_valid():
            changes.set_digest(me(request), form.cleaned_data["digest"])
            messages.success(request, "Saved.")
    elif act == "key":
        changes.renew_key(me(request))
        messages.success(request, "Feed and calendar have new addresses. The old ones no longer work.")
    else:
        raise Http404
    return redirect("following")


@require_POST
@login_required
def follow(request: HttpRequest) -> HttpResponse:
    """`contest` or `team`: what to follow or, with `stop`, to follow no more."""
    field, pk = _named(request)
    user = me(request)
    with refusals_told(request):
        if request.POST.get("stop"):
            changes.unfollow(user, field, pk)
        else:
            must_be_visible(request, field, pk)
            changes.follow(user, field, pk)
            messages.success(request, "You follow this now. Its news is on your page “Following”.")
    back = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return HttpResponseRedirect(back if ours else reverse("following"))  # what `redirect` takes for a name may be none


def _named(request: HttpRequest) -> tuple[str, int]:
    for field in ("contest", "team"):
        if request.POST.get(field, "").isdecimal() and len(request.POST[field]) < 16:
            return field, int(request.POST[field])
    raise Http404("nothing to follow")


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@code_page("unsubscribe")
def unsubscribe(request: HttpRequest, word: str) -> HttpResponse:
    """The link in a digest. Mail programs post to it without asking anybody (RFC 8058), people are asked."""
    user = changes.unsubscribed_by(word)
    if user is None:
        raise Http404("no such link")
    if request.method == "POST":
        changes.set_digest(user, FollowSettings.Digest.NEVER)
    return render(request, "tournaments/unsubscribe.html", {"done": request.method == "POST"})


# Feeds ----------------------------------------------------------------------------------------------------------------


@require_safe
@code_page("feed")
def following_feed(request: HttpRequest, key: str) -> HttpResponse:
    """Whoever has the address reads it, so it is as secret as a password."""
    row = get_object_or_404(FollowSettings.objects.select_related("user"), key=key, user__is_active=True)
    news = reading.followed_by(row.user)
    return atom(request, f"What {row.user} follows", reverse("following"), news, private=True)


@require_safe
@contest_page
def contest_feed(request: HttpRequest, contest: Contest) -> HttpResponse:
    private = contest.visibility == Contest.Visibility.PRIVATE
    return atom(request, contest.name, contest.get_absolute_url(), reading.of_contest(contest), private=private)


@require_safe
@contest_page
def team_feed(request: HttpRequest, contest: Contest, team_id: int) -> HttpResponse:
    team = get_object_or_404(contest.teams.exclude(state__in=reading.HIDDEN), pk=team_id)
    team.contest = contest
    private = contest.visibility == Contest.Visibility.PRIVATE
    title = f"{team.name} in {contest.name}"
    return atom(request, title, team.get_absolute_url(), reading.of_team(team), private=private)


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
    patch_cache_control(response, max_age=SECONDS, **{"private" if private else "public": True})
    return response


def _plain(text: str) -> str:
    return UNTOLD.sub(" ", text)
