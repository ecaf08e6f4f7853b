"""The contest as a whole, its teams, and the webhooks of its desk: what waits, has stopped, or remains at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from functools import lru_cache

from django.db.models import Avg, Count, Exists, Min, OuterRef, Q, Subquery

from contest.formatting import duration
from contest.models import Contest, Team
from games.phrases import counted
from submissions.models import Submission
from tournaments.attention.look import SOON, Concern, Level, Look, linked
from tournaments.models import Duty, MatchSeat, Stage, Webhook
from tournaments.seating import draw, programs
from tournaments.webhooks.stopping import WHY


def openings(look: Look) -> Iterator[Concern]:
    """A clone is private until somebody makes it public."""
    if look.ended or look.contest.play_started_at:
        return
    if look.contest.is_clone and look.contest.visibility == Contest.Visibility.PRIVATE:
        text = "This copy is private until you publish it: only its organisers and teams see it."
        yield Concern(Level.KNOW, text, look.url("desk-settings"), "Make public")


def endings(look: Look) -> Iterator[Concern]:
    """What remains to do when everything has been played, or when nothing is planned."""
    if look.ended:
        return
    near = look.contest.upload_deadline - look.now < SOON
    if not look.stages:
        text = "There is no stage, so nothing will be played when uploads close."
        yield Concern(Level.LOOK if near else Level.KNOW, text, look.url("desk-stages"), "Create one")
        return
    drafts = [stage for stage in look.stages if stage.state == Stage.State.DRAFT]
    if len(drafts) == len(look.stages) and not any(look.starts_soon(stage) for stage in drafts):
        text = "No stage is published: teams do not see what will be played, and nothing starts by itself."
        first = look.url("desk-stage", drafts[0].pk)
        place, button = (first, "Publish it") if len(drafts) == 1 else (look.url("desk-stages"), "Publish them")
        yield Concern(Level.LOOK if near else Level.KNOW, text, place, button)
    if all(stage.is_over or stage.has_ended for stage in look.stages):
        if look.contest.frozen_from and look.contest.frozen_from <= look.now:
            text = "All matches have been played, and the freeze still hides results from the public."
            yield Concern(Level.LOOK, text, look.url("desk-visibility"), "Lift the freeze")
        elif not look.contest.any_uploads_open(look.now):
            text = "All matches have been played. End the contest when the results are final."
            yield Concern(Level.KNOW, text, look.url("desk-settings"), "End the contest")


WHILE = timedelta(hours=1)  # before that, the next tries may help


def webhooks(look: Look) -> Iterator[Concern]:
    """One query. A webhook that somebody switched off is no concern."""
    found = list(look.contest.webhooks.filter(team=None).exclude(switched_off_why=Webhook.Off.PERSON))
    stopped = [it for it in found if not it.is_on]
    failing = [it for it in found if it.is_on and it.failing_since and look.now - it.failing_since > WHILE]
    if stopped:
        why = WHY[Webhook.Off(stopped[0].switched_off_why)] if len(stopped) == 1 else "The portal switched them off."
        text = f"{counted(len(stopped), 'webhook has', 'webhooks have')} stopped. {why}"
        yield Concern(Level.LOOK, text, look.url("desk-webhooks"), "Webhooks", _linked(look, stopped))
    if failing:
        longest = max(look.now - it.failing_since for it in failing if it.failing_since)
        text = f"{counted(len(failing), 'webhook fails', 'webhooks fail')}, the longest for {duration(longest)}."
        yield Concern(Level.KNOW, text, look.url("desk-webhooks"), "Webhooks", _linked(look, failing))


def _linked(look: Look, found: Sequence[Webhook]) -> tuple[tuple[str, str], ...]:
    return tuple((it.host, look.url("desk-webhook", it.pk)) for it in found)


NEAR = timedelta(hours=48)  # before a deadline or a start: from then on, teams without a bot matter


def admissions(look: Look) -> Iterator[Concern]:
    waiting = look.contest.teams.filter(state=Team.State.PENDING).count()
    if waiting and not look.ended:
        text = f"{counted(waiting, 'team waits', 'teams wait')} for you to approve or refuse."
        yield Concern(Level.LOOK, text, f"{look.url('desk-teams')}?state=pending", "Approve or refuse")


def returns(look: Look) -> Iterator[Concern]:
    """The program of a disqualified team plays on for another one, which somebody of that team has joined."""
    out = look.contest.teams.filter(state=Team.State.DISQUALIFIED)
    if look.ended or not (gone := {team.pk: team for team in out}):
        return
    sources = Submission.objects.filter(team__contest=look.contest).without_source().order_by("pk")
    old = list(sources.filter(team__in=gone))
    people = {pk: {it.uploaded_by_id for it in old if it.team_id == pk} - {None} for pk in gone}
    moves = look.contest.acts.filter(verb__in=("enter", "join", "leave"), user__isnull=False)
    for user, data in moves.values_list("user", "data"):
        if data["team"] in people:
            people[data["team"]].add(user)
    everybody = set[int | None]().union(*people.values())
    elsewhere = (
        sources.select_related("team")
        .filter(Q(team__memberships__user__in=everybody) | Q(uploaded_by__in=everybody))
        .distinct()
    )
    for version in elsewhere.filter(team__state=Team.State.APPROVED).prefetch_related("team__memberships"):
        here = {member.user_id for member in version.team.memberships.all()} | {version.uploaded_by_id}
        same = {
            it.team_id for it in old if it.language == version.language and _words(it.sha256) == _words(version.sha256)
        }
        for left in (gone[pk] for pk in same if here & people[pk]):
            text = f"Version {version.number} of “{version.team}” is the program of “{left}”, which is disqualified."
            page = look.url("desk-team", version.team_id)
            yield Concern(Level.LOOK, text, page, "Look", linked(look, [version.team, left]))


@lru_cache(maxsize=2000)
def _words(sha256: str) -> str:
    """What sources have in common that differ only in comments, blanks, case and names of files."""
    version = Submission.objects.filter(sha256=sha256).first()
    return version.words() if version else sha256


def questions(look: Look) -> Iterator[Concern]:
    waiting = look.contest.questions.waiting().order_by()
    count, oldest = waiting.aggregate(count=Count("pk"), oldest=Min("asked_at")).values()
    if count:
        text = f"{counted(count, 'unanswered question')}, the oldest asked {duration(look.now - oldest)} ago."
        yield Concern(Level.LOOK, text, look.url("desk-questions"), "Answer")


def bots(look: Look) -> Iterator[Concern]:
    """Teams without a bot shortly before a deadline, and teams whose latest version was rejected."""
    begun = look.contest.play_started_at and not any(stage.can_be_edited for stage in look.stages)
    if look.ended or begun:
        return
    near = look.deadline is not None and look.deadline - look.now < NEAR
    newest = Submission.objects.filter(team=OuterRef("pk")).order_by("-number").values("state")[:1]
    active = Exists(Submission.objects.active().filter(team=OuterRef("pk")))
    teams = list(look.contest.teams.competing().annotate(active=active, newest=Subquery(newest)))
    here = draw.connected_teams(look.contest)
    without = [team for team in teams if not team.active and team.pk not in here]
    rejected = [team for team in without if team.newest == Submission.State.REJECTED]
    if rejected:
        text = f"{counted(len(rejected), 'team has', 'teams have')} no bot: the latest version was rejected."
        level = Level.LOOK if near else Level.KNOW
        yield Concern(level, text, f"{look.url('desk-versions')}?state=rejected", "Versions", linked(look, rejected))
    if not near or look.deadline is None:
        return
    silent = [team for team in without if team.newest is None]
    if silent:
        text = f"{counted(len(silent), 'team has', 'teams have')} not uploaded a bot. The deadline is in "
        yield Concern(
            Level.LOOK,
            f"{text}{duration(look.deadline - look.now)}.",
            look.url("desk-teams"),
            "Teams",
            linked(look, silent),
        )
    worse = [team for team in teams if team.active and team.newest == Submission.State.REJECTED]
    if worse:
        text = f"{counted(len(worse), 'team plays', 'teams play')} with an older version: the latest was rejected."
        yield Concern(Level.KNOW, text, look.url("desk-versions"), "Versions", linked(look, worse))


def grids(look: Look) -> Iterator[Concern]:
    """Teams whose bots answer at moments that could tell a partner something. Once may be chance."""
    played = MatchSeat.objects.filter(team__contest=look.contest, grid_ms__isnull=False)
    found = played.values("team", "team__name").annotate(count=Count("pk"), width=Avg("grid_ms")).filter(count__gt=1)
    about = tuple((f"{it['team__name']}: {it['count']} matches, {it['width']:.0f} ms",
                   look.url("desk-team", it["team"])) for it in found.order_by("-count", "team"))  # fmt: skip
    if about:
        text = f"{counted(len(about), 'bot answers', 'bots answer')} at moments on a grid of the clock. A bot may wait "
        text += "like that for no reason, or tell a partner by the moment what it holds."
        yield Concern(Level.LOOK, text, look.url("desk-versions"), "Versions", about)


def connections(look: Look) -> Iterator[Concern]:
    """Programs that have lost their connection to the contest server."""
    there = None if look.ended else programs.overview(look.contest, look.now)
    if there is None:
        return
    playing = any(stage.state == Stage.State.RUNNING for stage in look.stages)
    if not Duty.held(programs.DUTY, look.now):
        text = "The contest server is not running, so no team’s program can connect. Start it: manage.py botserver."
        yield Concern(Level.ACT if playing else Level.LOOK, text, "#workers", "Workers")
        return
    if there.gone:
        gone = [client.team for client in there.gone]
        text = f"{counted(len(gone), 'team has', 'teams have')} lost the connection to the contest server. "
        text += f"{len(there.connected)} of {there.teams} teams are connected."
        level = Level.LOOK if playing else Level.KNOW
        yield Concern(level, text, look.url("desk-teams"), "Teams", linked(look, gone))
    if there.never and playing:
        armed = set(Submission.objects.active().filter(team__contest=look.contest).values_list("team", flat=True))
        never = [client.team for client in there.never if client.team.pk not in armed]
        text = f"{counted(len(never), 'team has', 'teams have')} neither uploaded a bot nor ever connected a program."
        if never:
            yield Concern(Level.KNOW, text, look.url("desk-teams"), "Teams", linked(look, never))
