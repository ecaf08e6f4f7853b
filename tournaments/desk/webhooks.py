"""The webhooks of the desk. Addresses of webhooks often contain keys, so judges do not see them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest.models import Contest
from contest.permissions import organiser_page
from tournaments.webhooks import views
from tournaments.webhooks.views import Owner


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_page
def desk_webhooks(request: HttpRequest, contest: Contest) -> HttpResponse:
    return views.index(request, Owner(contest, None))


@require_http_methods(["GET", "HEAD", "POST"])
@organiser_page
def desk_webhook(request: HttpRequest, contest: Contest, webhook_id: int) -> HttpResponse:
    return views.webhook(request, Owner(contest, None), webhook_id)


@require_POST
@organiser_page
def desk_webhook_act(request: HttpRequest, contest: Contest, webhook_id: int, act: str) -> HttpResponse:
    return views.act(request, Owner(contest, None), webhook_id, act)


@require_safe
@organiser_page
def desk_delivery(request: HttpRequest, contest: Contest, webhook_id: int, delivery_id: int) -> HttpResponse:
    return views.delivery(request, Owner(contest, None), webhook_id, delivery_id)


@require_POST
@organiser_page
def desk_delivery_act(
    request: HttpRequest, contest: Contest, webhook_id: int, delivery_id: int, act: str
) -> HttpResponse:
    return views.delivery_act(request, Owner(contest, None), webhook_id, delivery_id, act)
