"""What templates say about stages, matches and results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from contest.formatting import duration
from contest.models import Contest, Team
from games.phrases import counted
from submissions.models import Submission
from tournaments import kinds
from tournaments.kinds import champions
from tournaments.kinds.champions import Champion, OwnPlace, places_of
from tournaments.kinds.planned import stage_view
from tournaments.models import Match, MatchSeat, Review, Round, Stage
from tournaments.organising import admission, deadlines
from tournaments.organising.durations import Budget
from tournaments.organising.timetable import name_of
from tournaments.pages import programs, verdicts
from tournaments.pages.stages import face_of
from tournaments.results.stages_seen import Withheld
from tournaments.results.visibility import Sight, sight
from tournaments.seating.player_numbers import team_numbers
from tournaments.view_models.brackets import RoundView
from tournaments.view_models.check_in import CheckIn, check_in_for
from tournaments.view_models.my_day import MyTeam, of_team
from tournaments.view_models.progress import Progress
from tournaments.view_models.tables import SeatView
from tournaments.view_models.timetables import RoundTime, arranged, next_to_come

register = template.Library()
register.filter("duration", duration)

STAGE_BADGES = {
    Stage.State.DRAFT: "warn",
    Stage.State.PUBLISHED: "info",
    Stage.State.RUNNING: "ok",
    Stage.State.PAUSED: "warn",
    Stage.State.DONE: "muted",
    Stage.State.ABANDONED: "muted",
}
MATCH_BADGES = {
    Match.State.QUEUED: "info",
    Match.State.RUNNING: "ok",
    Match.State.DONE: "muted",
    Match.State.VOID: "bad",
}
REVIEW_BADGES = {Review.State.OPEN: "warn", Review.State.APPLIED: "ok", Review.State.DROPPED: "muted"}
BADGE = '<span class="badge badge-{}">{}</span>'


@register.filter
def stage_badge(stage: Stage) -> SafeString:
    style = "muted" if stage.is_over else STAGE_BADGES[Stage.State(stage.state)]
    return format_html(BADGE, style, stage.state_name)


@register.filter
def match_badge(match: Match) -> SafeString:
    """The state of a match, and whether it belongs to a review that is not applied."""
    review = " " + BADGE.format("warn", "under review") if match.pending else ""
    return SafeString(BADGE.format(MATCH_BADGES[Match.State(match.status)], match.status_name) + review)


@register.filter
def review_badge(review: Review) -> SafeString:
    return format_html(BADGE, REVIEW_BADGES[Review.State(review.state)], review.get_state_display())


@register.filter
def links(pairs: Iterable[tuple[str, str]]) -> SafeString:
    """Texts with addresses as links, separated by commas; a text without an address stays a text."""
    found = (format_html('<a href="{}">{}</a>', url, text) if url else text for text, url in pairs)
    return format_html_join(", ", "{}", ((each,) for each in found))


@register.simple_tag
def team_links(teams: Iterable[Team], contest: Contest, page: str = "team") -> SafeString:
    """Links to the pages of teams, separated by commas: the public ones or, with "desk-team", those of the desk."""
    return links((team.name, reverse(page, args=[contest.slug, team.pk])) for team in teams)


@register.filter
def based_on(budget: Budget) -> str:
    """What an estimate of a duration rests on."""
    if budget.measured:
        return "measured in this contest"
    return "measured in check games" if budget.checked else "measured with house players, which decide at once"


@register.filter
def up_to(least: int, most: int) -> str:
    """`12`, or `12 to 1,200` where a number is not known exactly."""
    return intcomma(least) if least == most else f"{intcomma(least)} to {intcomma(most)}"


@register.simple_tag(takes_context=True)
def own_matches(context: Context, team: Team | None) -> MyTeam | None:
    """What the reader's team plays next and played last, as this reader may know it."""
    return of_team(team, sight(context["request"], team.contest), timezone.now()) if team else None


@register.simple_tag(takes_context=True)
def coming_check_in(context: Context, team: Team) -> CheckIn | None:
    return check_in_for(team, sight(context["request"], team.contest), timezone.now()) if team.is_competing else None


@register.simple_tag
def substitutions(stage: Stage) -> list[dict[str, Any]]:
    """The teams that organisers have put in, with the teams whose seats they took."""
    found = stage.substitutions()
    teams = Team.objects.in_bulk({team for it in found for team in (it["team"], it["instead_of"])})
    return [{**it, "team": teams[it["team"]], "instead_of": teams.get(it["instead_of"])} for it in found]


@register.simple_tag
def open_ladder(contest: Contest) -> Contest | None:
    """A contest that never ends to play in meanwhile, of the same game if there is one."""
    public = Contest.objects.filter(endless=True, ended_at=None, visibility=Contest.Visibility.PUBLIC)
    found = list(public.exclude(pk=contest.pk).order_by("pk")[:20])
    return next((each for each in found if each.game_slug == contest.game_slug), None)


@register.filter
def entry_words(stage: Stage) -> str:
    """Who takes part: `The best 8 of Ladder`."""
    return str(capfirst(stage.entrants_name))


@register.filter
def ranking_url(stage: Stage) -> str:
    """Where the ranking of a stage stands."""
    return face_of(stage).ranking_url(stage)


@register.simple_tag
def deadline_warnings(contest: Contest) -> list[tuple[Stage, str]]:
    """Ladders that do not end when uploads close, each with a sentence about it."""
    return list(deadlines.apart(contest, contest.stages.order_by("pk"), timezone.now()))


@register.filter
def entry_count(stage: Stage) -> str:
    """Who takes part, and how many play once that is sure: `The best 8 of Ladder (7)`."""
    count, words = kinds.of(stage).entrant_count(stage) if stage.has_started else 0, entry_words(stage)
    if count and stage.entry == Stage.Entry.ALL:
        return words.replace("All teams", counted(count, "team"))
    return f"{words} ({count})" if count else words


@register.simple_tag
def stage_links(stages: Iterable[Stage]) -> SafeString:
    """Links to the pages of stages, separated by commas."""
    return links((stage.name, stage.get_absolute_url()) for stage in stages)


@register.filter
def seat_class(seat: SeatView, round: RoundView | None, champion: Team | None, mine: int | None) -> str:
    """The classes of a seat at a table: who sits there, and what became of it."""
    return " ".join(filter(None, (_seat_kind(seat, round, champion), "mine" if mine and _pk(seat) == mine else "")))


def _seat_kind(seat: SeatView, round: RoundView | None, champion: Team | None) -> str:
    if seat.is_house:
        return "house"
    if not seat.is_known:
        return "open"
    if seat.advances or (champion and round and round.is_last and _pk(seat) == champion.pk):
        return "on"
    if round and seat.place:
        return "off"
    return "on" if seat.is_best else ""


def _pk(seat: SeatView) -> int | None:
    return seat.team.pk if seat.team else None


@register.filter
def progress_words(progress: Progress, drawn_by_rounds: bool) -> str:
    """How many matches have been played, and how long the rest takes. `drawn_by_rounds`: more may follow."""
    words = f"{progress.done:,} of {progress.matches:,} matches played"
    if progress.games > progress.matches:
        guess = "about " if progress.is_guess else ""
        words += f" ({progress.games_done:,} of {guess}{progress.games:,} games)"
    if progress.running:
        words += f", {progress.running} being played"
    if not progress.left:
        return f"{words}."
    where = " in the rounds drawn so far" if drawn_by_rounds else ""
    return f"{words}. {capfirst(progress.about)} left{where}, with {progress.workers} at a time."


@register.filter
def run_badge(run: MatchSeat) -> SafeString:
    """The verdict on a run of a judged problem."""
    if run.verdict:
        return format_html(BADGE, "ok" if run.score else "bad", run.verdict)
    return format_html(BADGE, "info", "being judged" if run.match.status == Match.State.RUNNING else "waiting")


@register.simple_tag
def left_out(stage: Stage) -> dict[str, list[Team]]:
    """By reason, teams that could not play when the stage started, as far as its reader may know (`Sight.stages`)."""
    return admission.why_left_out(stage, stage.left_out) if stage.left_out else {}


@register.simple_tag(takes_context=True)
def winner(context: Context) -> Champion | None:
    """The champion of the page's contest, by what its reader may see."""
    request = context.get("request")
    return champions.of(sight(request, context["contest"])) if request else None


@register.simple_tag(takes_context=True)
def is_over(context: Context) -> bool:
    """Whether all of the page's contest is played, as far as its reader may know."""
    request = context.get("request")
    contest = context["contest"]
    if request is None or contest.play_started_at is None:  # nothing was played, so nothing need be asked
        return False
    return champions.is_over(sight(request, contest))


@register.simple_tag(takes_context=True)
def known_stages(context: Context) -> list[Stage]:
    """The stages of the page's contest that its reader may know of, with what they may know of them."""
    request = context.get("request")
    return sight(request, context["contest"]).stages if request else []


@register.simple_tag(takes_context=True)
def published_stages(context: Context, *, over: bool = True) -> list[Stage]:
    """The same stages without drafts, with those that are over or without them."""
    left_out = (Stage.State.DRAFT, *(() if over else Stage.ENDED))
    return [stage for stage in known_stages(context) if stage.state not in left_out]


@register.simple_tag(takes_context=True)
def own_places(context: Context, team: Team) -> list[OwnPlace]:
    """The stages in which this team's place is settled, by what the reader may see."""
    return list(places_of(team, sight(context["request"], context["contest"])))


@register.simple_tag(takes_context=True)
def stages_ahead(context: Context, team: Team | None, *, newer: bool = False) -> list[Stage]:
    """The stages in which a team may still play, as far as the reader knows. `newer`: with a version that is not active
    yet. Without a team: in which any may."""
    settled = {place.stage.pk for place in own_places(context, team)} if team else set()
    ahead = [stage for stage in published_stages(context, over=False) if stage.pk not in settled]
    if team:
        ahead = [
            it for it in ahead if not (it.has_started and it.order and kinds.of(it).has_plan) or team.pk in it.order
        ]
    return [it for it in ahead if not (newer and it.has_started and _fixes_versions(it))]


def _fixes_versions(stage: Stage) -> bool:
    return kinds.of(stage).has_plan and bool(stage.options.get("freeze_versions", True))


@register.simple_tag(takes_context=True)
def uploads_before(context: Context, team: Team | None) -> Stage | None:
    """The stage that will fix its versions first, if that is before uploads close."""
    closing, now = (team or context["contest"]).upload_deadline, timezone.now()
    ahead = [it for it in stages_ahead(context, team) if not it.has_started and _fixes_versions(it) and not it.is_held]
    starts = {it.starts_at: it for it in ahead if it.starts_at and now < it.starts_at < closing}
    return starts[min(starts)] if starts else None


@register.simple_tag(takes_context=True, name="sight")
def sight_here(context: Context) -> Sight | None:
    """`{% sight as sight %}`: what the reader may see of the page's contest."""
    request, contest = context.get("request"), context.get("contest")
    return sight(request, contest) if request and contest else None


@register.simple_tag(takes_context=True)
def timetable(context: Context, stage: Stage) -> Mapping[int, RoundTime]:
    """The rounds of a stage by their numbers, if organisers have arranged any of them."""
    return {it.number: it for it in arranged(stage, sight(context["request"], context["contest"]))}


@register.simple_tag(takes_context=True)
def round_name(context: Context, stage: Stage, number: int) -> str:
    """The name of a round with the teams that the reader may know."""
    known = sight(context["request"], context["contest"])
    return name_of(stage, number, stage_view(stage, known).plan) if number else ""


ROUND_STYLES = {Round.State.RUNNING: "ok", Round.State.HELD: "warn", Round.State.WAITING: "info"}


@register.filter
def round_style(time: RoundTime) -> str:
    return ROUND_STYLES.get(time.state, "muted")


@register.filter
def at(values: Mapping[int, RoundTime], number: int) -> RoundTime | None:
    """The round with this number."""
    return values.get(number)


@register.simple_tag(takes_context=True)
def next_round(context: Context, stage: Stage) -> RoundTime | None:
    """The round of a stage in progress that waits for its time."""
    return next_to_come(stage, sight(context["request"], context["contest"]))


@register.simple_tag(takes_context=True)
def withheld(context: Context, stage: Stage) -> Withheld | None:
    """What of a stage is hidden from the reader of this page, beyond a freeze."""
    return sight(context["request"], context["contest"]).withheld(stage)


@register.simple_tag(takes_context=True)
def awaits_release(context: Context) -> bool:
    """Has a stage started whose results the reader cannot see until the organisers release them?"""
    known = sight(context["request"], context["contest"])
    return any(stage.has_started and known.withheld(stage) for stage in known.stages)


@register.simple_tag(takes_context=True)
def runs_of(context: Context, version: Submission) -> list[MatchSeat]:
    """The runs of a version, one for each problem. One query for all versions of a page."""
    request, contest = context["request"], context["contest"]
    if not contest.game.sample:
        return []
    if not hasattr(request, "_runs"):
        request._runs = verdicts.runs_of(sight(request, contest))
    return request._runs.get(version.pk, [])


@register.simple_tag(takes_context=True)
def run_notices(context: Context, version: Submission) -> list[verdicts.Notice]:
    """The same in sentences, with what to do next."""
    known = sight(context["request"], context["contest"])
    return [verdicts.notice_of(version, run, known) for run in runs_of(context, version)]


@register.simple_tag
def opponent_links(seats: Iterable[MatchSeat], contest: Contest) -> SafeString:
    """The players in these seats, teams with links to their pages, separated by commas."""
    return format_html_join(", ", "{}", ((_player(seat, contest),) for seat in seats))


def _player(seat: MatchSeat, contest: Contest) -> SafeString:
    if seat.team_id is None:
        return format_html("<i>{}</i>", seat.name)
    return format_html('<a href="{}">{}</a>', reverse("team", args=[contest.slug, seat.team_id]), seat.name)


@register.simple_tag(takes_context=True)
def program_of(context: Context, team: Team) -> programs.Program | None:
    """`{% program_of team as it %}`: None in contests without connections."""
    return programs.program_of(context["request"], context["contest"], team)


@register.simple_tag
def wire_numbers(contest: Contest, teams: Iterable[Team]) -> list[tuple[int, Team]]:
    """These teams with their numbers in the protocol, by number."""
    numbers = team_numbers(contest)
    return sorted(((numbers[team.pk], team) for team in teams), key=lambda pair: pair[0])
