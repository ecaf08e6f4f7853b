"""The webhooks of a team, for its members, and those of a person who follows."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest.models import Contest, Team
from contest.permissions import me, member_page
from tournaments.webhooks import views
from tournaments.webhooks.views import Owner


@require_http_methods(["GET", "HEAD", "POST"])
@member_page
def webhooks(request: HttpRequest, contest: Contest, team: Team) -> HttpResponse:
    return views.index(request, Owner(contest, team))


@require_http_methods(["GET", "HEAD", "POST"])
@member_page
def webhook(request: HttpRequest, contest: Contest, team: Team, webhook_id: int) -> HttpResponse:
    return views.webhook(request, Owner(contest, team), webhook_id)


@require_POST
@member_page
def webhook_act(request: HttpRequest, contest: Contest, team: Team, webhook_id: int, act: str) -> HttpResponse:
    return views.act(request, Owner(contest, team), webhook_id, act)


@require_safe
@member_page
def delivery(request: HttpRequest, contest: Contest, team: Team, webhook_id: int, delivery_id: int) -> HttpResponse:
    return views.delivery(request, Owner(contest, team), webhook_id, delivery_id)


@require_POST
@member_page
def delivery_act(
    request: HttpRequest, contest: Contest, team: Team, webhook_id: int, delivery_id: int, act: str
) -> HttpResponse:
    return views.delivery_act(request, Owner(contest, team), webhook_id, delivery_id, act)


# Of the news that somebody follows ------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def following_webhooks(request: HttpRequest) -> HttpResponse:
    return views.index(request, Owner(follower=me(request)))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def following_webhook(request: HttpRequest, webhook_id: int) -> HttpResponse:
    return views.webhook(request, Owner(follower=me(request)), webhook_id)


@require_POST
@login_required
def following_webhook_act(request: HttpRequest, webhook_id: int, act: str) -> HttpResponse:
    return views.act(request, Owner(follower=me(request)), webhook_id, act)


@require_safe
@login_required
def following_delivery(request: HttpRequest, webhook_id: int, delivery_id: int) -> HttpResponse:
    return views.delivery(request, Owner(follower=me(request)), webhook_id, delivery_id)


@require_POST
@login_required
def following_delivery_act(request: HttpRequest, webhook_id: int, delivery_id: int, act: str) -> HttpResponse:
    return views.delivery_act(request, Owner(follower=me(request)), webhook_id, delivery_id, act)
