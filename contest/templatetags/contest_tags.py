"""Template tags of the portal: access, tabs, times in words, badges, Markdown, pagination, charts, cards."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from fnmatch import fnmatch
from functools import lru_cache
from typing import Any, cast
from urllib.parse import urlencode

from django import template
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.paginator import Page
from django.forms import BaseForm
from django.http.request import split_domain_port
from django.template import Context
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from contest import audit_log, drawing, markdown, permissions, questions
from contest import languages as tongues
from contest.cards import is_card_of
from contest.charts import LineChart, drawn
from contest.formatting import about, duration, milliseconds, nth, percent, short_ms, signed
from contest.models import Act, Announcement, Contest, Phase, Team, User
from contest.names import isolated
from games.engine import Game

register = template.Library()
for each in (is_card_of, milliseconds, nth, percent, short_ms, signed):
    register.filter(each)

PHASES = {
    Phase.ANNOUNCED: ("badge-info", "Announced"),
    Phase.OPEN: ("badge-ok", "Open"),
    Phase.CLOSED: ("badge-warn", "Under way"),
    Phase.ENDED: ("badge-muted", "Ended"),
}
TEAM_STATES = {
    Team.State.PENDING: "badge-warn",
    Team.State.APPROVED: "badge-ok",
    Team.State.REFUSED: "badge-bad",
    Team.State.WITHDRAWN: "badge-muted",
    Team.State.DISQUALIFIED: "badge-bad",
}


@register.simple_tag
def sends_mail() -> bool:
    """Whether the portal sends mail. Without EMAIL_URL it only writes files for its operator."""
    return bool(settings.EMAIL_URL)


@register.simple_tag(takes_context=True)
def is_local_address(context: Context) -> bool:
    """Whether the reader opened this page at an address that works only on the portal's machine."""
    return split_domain_port(context["request"].get_host())[0] in ("localhost", "127.0.0.1", "[::1]")


@register.simple_tag(takes_context=True)
def access(context: Context) -> permissions.Access | None:
    """`{% access as access %}`: the rights of the reader in the page's `contest`."""
    request, contest = context.get("request"), context.get("contest")
    return permissions.access(request, contest) if request and contest else None


@register.inclusion_tag("contest/_form_errors.html")
def form_errors(*sent: BaseForm) -> dict[str, Any]:
    """The errors of forms that are submitted together, as sentences and links to fields."""
    return {
        "sentences": [error for form in sent for error in form.non_field_errors()],
        "fields": [field for form in sent for field in form if field.errors],
    }


@register.simple_tag(takes_context=True)
def may_create_contests(context: Context) -> bool:
    return permissions.may_create_contests(context["user"])


@register.simple_tag(takes_context=True)
def tab(context: Context, label: str, name: str, *args: Any, also: str = "", count: int = 0, of: str = "new") -> str:
    """A tab to the page `name`. It is marked on that page and on pages whose names match a pattern of `also`.

    A `count` other than 0 follows the label; `of` says what is counted.
    """
    url = reverse(name, args=args)
    request = context["request"]
    match = request.resolver_match
    here = request.path == url
    if not here and match and match.url_name:
        here = any(fnmatch(match.url_name, pattern) for pattern in also.split())
    text = '<span class="badge badge-info">{}<span class="visually-hidden"> {}</span></span>'
    behind = format_html(f" {text}", count, of) if count else ""
    current = mark_safe(' aria-current="page"') if here else ""
    return format_html('<li><a href="{}"{}>{}{}</a></li>', url, current, label, behind)


@register.simple_tag(takes_context=True)
def unread(context: Context) -> int:
    """How many answers and announcements are new to the reader. One query per page."""
    here = access(context)
    if not here or not here.membership:
        return 0
    known: dict[int, int] = context["request"].__dict__.setdefault("_unread", {})
    if here.contest.pk not in known:
        here.membership.contest = here.contest
        known[here.contest.pk] = questions.unread(here.membership)
    return known[here.contest.pk]


@register.simple_tag
def latest_announcement(contest: Contest) -> Announcement | None:
    """What every page of the contest says until it is over, or the reader has closed it (page.js)."""
    return None if contest.ended_at else contest.announcements.first()


@register.simple_tag(takes_context=True)
def next_query(context: Context) -> str:
    """`?next=…`, which brings people back here after they log in."""
    request = context.get("request")
    if request is None or request.path.startswith("/accounts/") or request.path == "/":
        return ""
    return "?" + urlencode({"next": request.get_full_path()})


@register.simple_tag
def zone_name() -> str:
    """The time zone of the times on the page: "Europe/Berlin (CET)"."""
    now = timezone.localtime()
    name, short = str(now.tzinfo), now.tzname() or ""
    return name if name == short else f"{name} ({short})"


@register.filter
def when(moment: datetime | None) -> str:
    """A date and time with its zone: Sat 21 Nov 2026, 18:00 UTC. page.js shows it in the browser's zone."""
    if moment is None:
        return ""
    return format_html('<time datetime="{}">{}</time>', moment.isoformat(), _full_time(moment))


def _full_time(moment: datetime) -> str:
    local = timezone.localtime(moment)
    return f"{local:%a {local.day} %b %Y, %H:%M}\N{NO-BREAK SPACE}{local.tzname()}"


register.filter(isolated)
register.filter(about)


@register.filter
def from_now(moment: datetime | None) -> str:
    """ "in 3 days" or "2 hours ago", with the full time as a title."""
    if moment is None:
        return ""
    distance = moment - timezone.now()
    words = f"in {duration(distance)}" if distance > timedelta() else f"{duration(distance)} ago"
    return mark_safe(f'<time datetime="{moment.isoformat()}" title="{_full_time(moment)}">{words}</time>')


@register.filter
def is_past(moment: datetime | None) -> bool:
    return moment is not None and moment <= timezone.now()


@register.simple_tag
def phase_badge(contest: Contest, over: bool = False) -> str:
    """The one word for where a contest stands. `over`: all of it is played, as far as the reader may know."""
    phase = contest.phase()
    style, word = PHASES[phase]
    if over and phase != Phase.ENDED:
        style, word = "badge-muted", "Finished"
    elif contest.endless and phase == Phase.OPEN:
        style, word = "badge-ok", "Always on"
    return format_html('<span class="badge {}">{}</span>', style, word)


@register.simple_tag
def phase_name(contest: Contest) -> str:
    return contest.phase().value


@register.filter
def of_contest(values: Mapping[int, Any], contest: Contest) -> Any:
    """What a mapping by contest ids has for this one, or None."""
    return values.get(contest.pk)


@register.simple_tag
def next_date(contest: Contest) -> str:
    """The next deadline in words: "Entry closes in 3 days"."""
    now = timezone.now()
    if contest.phase(now) == Phase.ENDED:
        return format_html("Ended {}", from_now(contest.ended_at))
    if contest.endless:
        return "Always open"
    dates = [("Opens", contest.opens_at)]
    if contest.entry_deadline == contest.upload_deadline:
        dates += [("Entry and uploads close", contest.entry_deadline)]
    else:
        dates += [("Entry closes", contest.entry_deadline), ("Uploads close", contest.upload_deadline)]
    coming = [(word, moment) for word, moment in dates if moment > now]
    if not coming:
        return format_html("Uploads closed {}", from_now(contest.upload_deadline))
    word, moment = min(coming, key=lambda each: each[1])
    return format_html("{} {}", word, from_now(moment))


@register.simple_tag(takes_context=True)
def later_deadlines(context: Context, contest: Contest, team: Team | None = None) -> list[Team]:
    """The teams (or this one) that may upload longer than others, as far as the reader may know."""
    teams = [team] if team else list(contest.teams.competing().exclude(uploads_until=None))
    here = access(context)
    for each in teams:
        each.contest = contest
    return [each for each in teams if here is not None and here.knows_later_deadline(each)]


@register.simple_tag
def languages(contest: Contest) -> str:
    """The names of the contest's languages."""
    return ", ".join(language.name for language in tongues.known(contest.languages))


@register.filter
def as_option(value: Any) -> Any:
    """The value of a game's option in words."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


@register.simple_tag
def team_link(team: Team) -> str:
    return format_html('<a href="{}">{}</a>', team.get_absolute_url(), team.name)


@register.filter
def person(user: User) -> str:
    """A username, which leads to the person's page if they have one."""
    if not user.is_public or not user.is_active:
        return str(user)
    return format_html('<a href="{}">{}</a>', reverse("person", args=[user.username]), user)


@register.simple_tag(takes_context=True)
def rendered(context: Context, name: str) -> SafeString:
    """`{% rendered "…" as name %}`: a template rendered in the page's context, for pages that omit blank parts."""
    assert context.template is not None
    text = context.template.engine.get_template(name).render(context)
    return mark_safe(text.strip())  # the template has escaped what it was given


@register.simple_tag(takes_context=True)
def jinja(context: Context, name: str, **more: Any) -> SafeString:
    """`{% jinja "…" %}`: a template of what pages repeat hundreds of times (contest.drawing), in the page's context."""
    known = cast("dict[str, Any]", context.flatten()) | more
    game = known["contest"].game if known.get("contest") else known.get("game")
    return mark_safe(drawing.environment(game).get_template(name).render(known))


@register.filter
def team_badge(team: Team) -> str:
    return format_html(
        '<span class="badge {}">{}</span>', TEAM_STATES[Team.State(team.state)], team.get_state_display()
    )


@register.simple_tag
def act_details(act: Act) -> str:
    """The changes of an audit log entry, folded away if there are many."""
    lines = audit_log.details(act)
    if len(lines) == 1 and len(lines[0]) < 100:
        return format_html('<br><small class="muted">{}</small>', lines[0])
    rows = format_html_join("", "<li>{}</li>", ((line,) for line in lines))
    title = "Settings" if "settings" in act.data else "What changed"
    return format_html("<details><summary>{}</summary><ul>{}</ul></details>", title, rows) if lines else ""


@register.filter(name="markdown")
def markdown_filter(text: str) -> SafeString:
    return markdown.render(text)


@register.filter
def plain(text: str) -> str:
    """Markdown as plain text in one line, for titles and tables."""
    return markdown.plain(text)


@register.simple_tag(takes_context=True)
def pager(context: Context, page: Page, noun: str = "", at: str = "") -> str:
    """Links to the other pages of a list, keeping the rest of the query. Empty if there is only one page.

    `at` is the id of the list's heading, if the list is not at the top of the page.
    """
    if page.paginator.num_pages < 2:
        return ""
    query = context["request"].GET.copy()
    query.pop("rev", None)  # a live part has it, but the links lead to whole pages
    anchor = f"#{at}" if at else ""

    def link(number: int, text: str, rel: str) -> str:
        query["page"] = str(number)
        return format_html('<a href="?{}{}" rel="{}">{}</a>', query.urlencode(), anchor, rel, text)

    before = link(page.previous_page_number(), "← Previous", "prev") if page.has_previous() else ""
    after = link(page.next_page_number(), "Next →", "next") if page.has_next() else ""
    more = "more than " if getattr(page.paginator, "has_more", False) else ""
    total = f", {more}{page.paginator.count} {noun}" if noun else ""
    return format_html(
        '<nav class="pager" aria-label="Pages">{}<span>Page {} of {}{}</span>{}</nav>',
        before, page.number, page.paginator.num_pages, total, after,
    )  # fmt: skip


@register.simple_tag(takes_context=True)
def line_chart(context: Context, chart: LineChart) -> SafeString:
    return mark_safe(jinja(context, "charts/_lines.html", **drawn(chart)))


@register.simple_tag
def game_styles(game: Game) -> SafeString:
    """The game's own style sheet for its table, if it has one."""
    path = f"games/{game.slug}/table.css"
    return format_html('<link rel="stylesheet" href="{}">', static(path)) if _exists(path) else mark_safe("")


@lru_cache(maxsize=64)
def _exists(path: str) -> bool:
    return finders.find(path) is not None
