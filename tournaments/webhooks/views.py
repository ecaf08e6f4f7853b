"""The pages of webhooks: those of a team for its members, of the desk for organisers, and of a person who follows.

Addresses of webhooks often contain keys, so judges do not see them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from contest.models import Contest, Kind, Team, User
from contest.paging import page_of
from contest.permissions import me, member_page, organiser_page
from contest.refusal import refusals_told
from tournaments.models import Delivery, Webhook
from tournaments.webhooks import changes, following
from tournaments.webhooks.forms import NewsWebhookForm, SinceForm, WebhookForm
from tournaments.webhooks.stopping import WHY

SECRET = "webhook_secret"
"""Session key: (webhook, its new secret), until its page has shown it."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A team; a contest's desk, without a team; or a person who follows, without a contest."""

    contest: Contest | None = None
    team: Team | None = None
    follower: User | None = None

    @property
    def prefix(self) -> str:
        return "following-" if self.follower else "" if self.team else "desk-"

    @property
    def frame(self) -> str:
        if self.follower:
            return "base.html"
        return "contest/_contest_base.html" if self.team else "contest/_desk_base.html"

    @property
    def form(self) -> type[WebhookForm]:
        return NewsWebhookForm if self.follower else WebhookForm

    @property
    def most(self) -> int:
        return changes.MOST_OF_FOLLOWER if self.follower else changes.MOST

    def create(self, by: User, url: str, kinds: list[str]) -> Webhook:
        """Raises Refused."""
        if self.contest is None:
            return changes.create_for(by, url, kinds)
        return changes.create(self.contest, self.team, by, url, kinds)

    @property
    def webhooks(self) -> QuerySet[Webhook, Webhook]:
        mine = Webhook.objects.filter(contest=self.contest, team=self.team, follower=self.follower)
        found = mine.select_related("reads_as", "follower")
        waiting = Delivery.objects.waiting().filter(webhook=OuterRef("pk"), is_test=False).order_by()
        counted = waiting.values("webhook").annotate(count=Count("pk")).values("count")
        return found.annotate(waiting=Coalesce(Subquery(counted), 0)).order_by("pk")

    def page(self, name: str, *args: object) -> str:
        where = [self.contest.slug] if self.contest else []
        return reverse(f"{self.prefix}{name}", args=[*where, *args])

    def get(self, pk: int) -> Webhook:
        webhook: Webhook = get_object_or_404(self.webhooks, pk=pk)
        return webhook


def delivery_of(webhook: Webhook, pk: int) -> Delivery:
    delivery: Delivery = get_object_or_404(following.readable(webhook), pk=pk)
    return delivery


def condition(webhook: Webhook) -> tuple[str, str]:
    """The style and the words of its badge."""
    if not webhook.is_on:
        return "muted" if webhook.switched_off_why == Webhook.Off.PERSON else "bad", "Off"
    return ("warn", "Failing") if webhook.failures else ("ok", "On")


def why_off(webhook: Webhook) -> str:
    """Why it is off, in a sentence. Blank if it is on."""
    return "" if webhook.is_on else WHY[Webhook.Off(webhook.switched_off_why)]


def stopped_of(follower: User) -> list[dict[str, Any]]:
    """Their webhooks that the portal has switched off, for the page “Following”."""
    off = Webhook.objects.filter(follower=follower, switched_off_at__isnull=False)
    found = off.exclude(switched_off_why=Webhook.Off.PERSON).order_by("pk")
    return [{"pk": it.pk, "host": it.host, "why": why_off(it)} for it in found]


# The pages ------------------------------------------------------------------------------------------------------------


def index(request: HttpRequest, owner: Owner) -> HttpResponse:
    """All webhooks, and the form for a new one."""
    form = owner.form(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refusals_told(form):
            made = owner.create(me(request), **form.cleaned_data)
            request.session[SECRET] = [made.pk, made.secret]
            return redirect(owner.page("webhook", made.pk))
    rows = [{"webhook": it, "condition": condition(it), "page": owner.page("webhook", it.pk)} for it in owner.webhooks]
    context = {"rows": rows, "form": form, "most": owner.most}
    return _page(request, owner, "webhooks", context, status=422 if form.errors else 200)


def webhook(request: HttpRequest, owner: Owner, webhook_id: int) -> HttpResponse:
    """One webhook: its state, its settings and what was sent."""
    row = owner.get(webhook_id)
    is_edit = request.method == "POST"
    shown = {"url": row.url, "kinds": row.kinds}
    form = owner.form(request.POST if is_edit else None, instance=Webhook(), initial=shown)
    if is_edit and form.is_valid():
        with refusals_told(form):
            changes.edit(row, me(request), **form.cleaned_data)
            messages.success(request, "Saved.")
            return redirect(owner.page("webhook", row.pk))
    return _webhook_page(request, owner, row, form, SinceForm(), status=422 if form.errors else 200)


def _webhook_page(
    request: HttpRequest, owner: Owner, row: Webhook, form: WebhookForm, since: SinceForm, status: int
) -> HttpResponse:
    chosen = request.GET.get("state", "")
    found = following.readable(row)
    found = found.filter(state=chosen) if chosen in Delivery.State.values else found
    page = page_of(request, found.defer("payload", "answer"))
    waiting = following.readable(row).filter(state=Delivery.State.WAITING, is_test=False)
    context = {
        "webhook": row,
        "condition": condition(row),
        "why_off": why_off(row),
        "failed": waiting.order_by("pk").first() if row.failures else None,
        "form": form,
        "since": since,
        "secret": _new_secret(request, row),
        "old_works": len(row.secrets(timezone.now())) > 1,
        "page": page,
        "chosen": chosen,
        "states": Delivery.State.choices,
        "base": owner.page("webhook", row.pk),
    }
    return _page(request, owner, "webhook", context, status)


def _new_secret(request: HttpRequest, row: Webhook) -> str:
    """The secret that was just made, the first time its page is shown."""
    pk, secret = request.session.get(SECRET, (0, ""))
    if pk != row.pk or request.method != "GET":
        return ""
    del request.session[SECRET]
    return str(secret)


def delivery(request: HttpRequest, owner: Owner, webhook_id: int, delivery_id: int) -> HttpResponse:
    """A message: what was sent, and what came back."""
    row = owner.get(webhook_id)
    found = delivery_of(row, delivery_id)
    context = {
        "webhook": row,
        "delivery": found,
        "base": owner.page("webhook", row.pk),
        "is_live": found.state == Delivery.State.WAITING and (found.is_test or row.is_on),
        "is_next": found.state == Delivery.State.WAITING and found.tries > 0,
    }
    if request.headers.get("HX-Request"):
        return render(request, "tournaments/webhooks/_delivery.html", {"contest": owner.contest, **context})
    return _page(request, owner, "delivery", context)


def _page(request: HttpRequest, owner: Owner, name: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    shared = {
        "contest": owner.contest,
        "team": owner.team,
        "follower": owner.follower,
        "place": owner.contest.name if owner.contest else "Following",
        "frame": owner.frame,
        "home": owner.page("webhooks"),
        "kinds": following.KINDS if owner.follower else Kind.choices,
    }
    response = render(request, f"tournaments/webhooks/{name}.html", {**shared, **context}, status=status)
    response["Cache-Control"] = "private, no-store"
    return response


# The actions ----------------------------------------------------------------------------------------------------------


ACTS: dict[str, tuple[Callable[[Webhook, User], object], str]] = {
    "test": (changes.test, "The test is on its way. Its result appears below in a moment."),
    "off": (
        changes.off,
        "Switched off. Nothing is sent until somebody switches it on; it then goes on where it stopped.",
    ),
    "on": (changes.on, "Switched on. What has happened meanwhile is sent now."),
}


def act(request: HttpRequest, owner: Owner, webhook_id: int, act: str) -> HttpResponse:
    """Test, off, on, skip, rotate, delete or redeliver."""
    row, by = owner.get(webhook_id), me(request)
    with refusals_told(request):
        if act == "delete":
            changes.delete(row, by)
            messages.success(request, f"The webhook to {row.host} is deleted.")
            return redirect(owner.page("webhooks"))
        if act == "rotate":
            request.session[SECRET] = [row.pk, changes.rotate(row, by)]
        elif act == "redeliver":
            form = SinceForm(request.POST)
            if not form.is_valid():
                return _webhook_page(request, owner, row, owner.form(instance=row), form, status=422)
            count = changes.redeliver_since(row, by, form.cleaned_data["since"])
            messages.success(request, f"{count} {'message is' if count == 1 else 'messages are'} sent again.")
        elif act == "skip":
            count = changes.skip_all(row, by)
            messages.success(request, f"{count} waiting {'message' if count == 1 else 'messages'} skipped.")
        elif act in ACTS:
            action, said = ACTS[act]
            action(row, by)
            messages.success(request, said)
        else:
            raise Http404
    return redirect(owner.page("webhook", row.pk))


def delivery_act(request: HttpRequest, owner: Owner, webhook_id: int, delivery_id: int, act: str) -> HttpResponse:
    """Send a message again, or skip it."""
    row, by = owner.get(webhook_id), me(request)
    found = delivery_of(row, delivery_id)
    with refusals_told(request):
        if act == "redeliver":
            again = changes.redeliver(row, by, found)
            messages.success(request, "The message is sent again.")
            return redirect(owner.page("webhook-delivery", row.pk, again.pk))
        if act != "skip":
            raise Http404
        changes.skip(row, by, found)
        messages.success(request, "Skipped. The next message follows.")
    return redirect(owner.page("webhook-delivery", row.pk, found.pk))


# Their addresses ------------------------------------------------------------------------------------------------------

ONE = "<int:webhook_id>/"
MESSAGE = f"{ONE}deliveries/<int:delivery_id>/"
VIEWS: dict[str, tuple[str, Callable[..., HttpResponse], Callable[..., Any]]] = {
    "webhooks": ("", index, require_http_methods(["GET", "HEAD", "POST"])),
    "webhook": (ONE, webhook, require_http_methods(["GET", "HEAD", "POST"])),
    "webhook-act": (f"{ONE}<slug:act>/", act, require_POST),
    "webhook-delivery": (MESSAGE, delivery, require_safe),
    "webhook-delivery-act": (f"{MESSAGE}<slug:act>/", delivery_act, require_POST),
}


def _pages(place: str, prefix: str, allowed: Callable[..., Any], owner: Callable[..., Owner]) -> list[URLPattern]:
    """The pages at a place, for whoever the decorator `allowed` lets in. `owner` says whose they are."""

    def page_of(view: Callable[..., HttpResponse]) -> Any:
        def page(request: HttpRequest, *whose: Any, **ids: Any) -> HttpResponse:
            return view(request, owner(request, *whose), **ids)

        return allowed(page)

    return [path(f"{place}{at}", by(page_of(view)), name=f"{prefix}{name}") for name, (at, view, by) in VIEWS.items()]


OF_TEAM = _pages("c/<slug:slug>/my/webhooks/", "", member_page, lambda _, contest, team: Owner(contest, team))
OF_DESK = _pages("c/<slug:slug>/desk/webhooks/", "desk-", organiser_page, lambda _, contest: Owner(contest))
OF_FOLLOWER = _pages("following/webhooks/", "following-", login_required, lambda request: Owner(follower=me(request)))
