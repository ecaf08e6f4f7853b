"""What of a contest needs an organiser, worst first, each with where to see to it; and what comes next.

Everything here is a look: a constant number of queries, however many teams there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum
from functools import cached_property
from typing import Any

from django.db.models import Count, Exists, Min, OuterRef, Q, Subquery
from django.urls import reverse

from contest.means import lacking
from contest.models import Act, Contest, Phase, Team
from contest.templatetags.contest_tags import in_words
from contest.workers import Worker
from submissions.models import Submission
from tournaments import admission, clients, deadlines, draw, releases, reviews
from tournaments.models import Duty, Match, Rehearsal, Review, Stage
from tournaments.workload import Workload

NEAR = timedelta(hours=48)  # before a deadline or a start, from when on teams without a bot are a matter
SOON = timedelta(hours=24)
BREATH = timedelta(seconds=30)  # after a match, in which the clock makes the next ones
STILL = timedelta(minutes=2)  # without a tick, after which the clock is taken to stand still
STUBBORN = 3  # failures of the machinery at one match, after which it hardly goes away by itself


class Level(IntEnum):
    ACT = 1  # it goes wrong unless somebody does something
    LOOK = 2  # somebody waits for an organiser, or it may go wrong
    KNOW = 3


@dataclass(frozen=True, slots=True)
class Concern:
    """A sentence, the page where it is seen to (with what is done there), and what it is about: words and addresses."""

    level: Level
    text: str
    url: str = ""
    deed: str = ""
    about: tuple[tuple[str, str], ...] = ()

    @property
    def style(self) -> str:
        return {Level.ACT: "bad", Level.LOOK: "warn", Level.KNOW: "info"}[self.level]

    @property
    def word(self) -> str:
        return {Level.ACT: "Act now", Level.LOOK: "Look", Level.KNOW: "Know"}[self.level]


@dataclass(frozen=True, slots=True)
class Date:
    at: datetime
    text: str
    url: str = ""


@dataclass(frozen=True)
class Look:
    """A contest at a moment, with what several parts want to know. `workforce`: None when nobody can tell."""

    contest: Contest
    now: datetime
    load: Workload
    workforce: Sequence[Worker] | None

    def url(self, name: str, *args: object) -> str:
        return reverse(name, args=[self.contest.slug, *args])

    @property
    def ended(self) -> bool:
        return self.contest.phase(self.now) == Phase.ENDED

    @cached_property
    def stages(self) -> list[Any]:
        """Stages, with `open_matches`: those queued or being played."""
        is_open = Q(matches__state__in=(Match.State.QUEUED, Match.State.RUNNING), matches__pending=False)
        found = self.contest.stages.select_related("source", "rehearsal")
        stages: list[Any] = list(found.annotate(open_matches=Count("matches", filter=is_open)).order_by("pk"))
        for stage in stages:
            stage.contest = self.contest
            if stage.source:
                stage.source.contest = self.contest
        return stages

    def starts_soon(self, stage: Stage) -> bool:
        """Also when it should have started already."""
        return stage.starts_at is not None and stage.starts_at - self.now < SOON

    @cached_property
    def deadline(self) -> datetime | None:
        """By when teams must have a bot: the uploads' end or the first start that is set, whatever comes first."""
        starts = [it.starts_at for it in self.stages if it.starts_at and it.can_be_edited]
        coming = [at for at in (self.contest.upload_deadline, *starts) if at > self.now]
        return min(coming, default=None)


Part = Callable[[Look], Iterator[Concern]]


def concerns(look: Look) -> list[Concern]:
    """Worst first."""
    return sorted((found for part in PARTS for found in part(look)), key=lambda it: it.level)


def dates(look: Look) -> list[Date]:
    """What comes, in its order."""
    contest = look.contest
    settings = look.url("desk-settings")
    found = [
        Date(contest.opens_at, "Entry opens", settings),
        Date(contest.entry_deadline, "Entry closes", settings),
        Date(contest.upload_deadline, "Uploads close", settings),
    ]
    if contest.frozen_from:
        found.append(Date(contest.frozen_from, "Results are frozen", look.url("desk-visibility")))
    for stage in look.stages:
        page = look.url("desk-stage", stage.pk)
        if stage.starts_at and stage.can_be_edited:
            found.append(Date(stage.starts_at, f"{stage} starts", page))
        if stage.ends_at and stage.state != Stage.State.DONE:
            found.append(Date(stage.ends_at, f"{stage} ends", page))
    return sorted((date for date in found if date.at > look.now), key=lambda date: date.at)


# The machinery --------------------------------------------------------------------------------------------------------


def machinery(look: Look) -> Iterator[Concern]:
    queue = look.url("desk-queue")
    if not look.load.broker_answers or look.workforce is None:
        yield Concern(
            Level.ACT, "The broker does not answer. Nothing is lost: builds and matches go on when it is back."
        )
        return
    if not look.ended:
        settings = look.url("desk-settings")
        for lack in lacking(look.contest.game, look.contest.languages):
            yield Concern(Level.ACT, lack, settings, "Settings")
    at_work = any(worker.is_alive() and worker.confinement for worker in look.workforce)
    if at_work and not look.load.players and (look.load.running or look.load.queued.exists()):
        yield Concern(
            Level.ACT, "No worker plays matches at the moment: they wait until one comes back.", queue, "Queue"
        )
    gone = [worker for worker in look.workforce if worker.confinement and not worker.is_alive()]
    if gone:
        names = ", ".join(f"{worker.name}, {in_words(look.now - worker.last_seen)} ago" for worker in gone)
        yield Concern(
            Level.LOOK, f"{_count(gone, 'worker')} left no sign of life lately: {names}.", "#workers", "Workers"
        )
    ticked = Duty.objects.filter(name="tick").values_list("until", flat=True).first()
    if ticked is not None and ticked < look.now - STILL:
        yield Concern(
            Level.ACT,
            f"The portal’s clock stands still for {in_words(look.now - ticked)}: no stage starts by itself, and what "
            "lost its worker does not come back. Is the worker “portal” there, and the beat?",
            "#workers",
            "Workers",
        )


def matches(look: Look) -> Iterator[Concern]:
    queue = look.url("desk-queue")
    troubled = look.load.troubled
    if troubled:
        had = _count(
            troubled,
            "match had trouble with the machinery and is tried again",
            "matches had trouble with the machinery and are tried again",
        )
        stubborn = any(match.failures >= STUBBORN for match in troubled)
        about = tuple((f"{match}: {match.failures}×", match.get_absolute_url()) for match in troubled[:10])
        yield Concern(Level.ACT if stubborn else Level.LOOK, f"{had}.", queue, "Queue", about)
    slow = look.load.slow(look.now)
    if slow and look.load.usual is not None:
        text = f"{_count(slow, 'match takes', 'matches take')} much longer than usual ({in_words(look.load.usual)})."
        about = tuple(
            (f"{match}, since {in_words(look.now - match.started_at)}", match.get_absolute_url())
            for match in slow[:10]
            if match.started_at
        )
        yield Concern(Level.LOOK, text, queue, "Queue", about)


def builds(look: Look) -> Iterator[Concern]:
    mine = Submission.objects.filter(team__contest=look.contest)
    troubled = mine.in_progress().filter(failures__gt=0).count()
    if troubled:
        text = f"{troubled} version{_s(troubled)} had trouble with the machinery while being built or checked."
        yield Concern(Level.LOOK, text, look.url("desk-versions"), "Versions")


# Teams ----------------------------------------------------------------------------------------------------------------


def admissions(look: Look) -> Iterator[Concern]:
    waiting = look.contest.teams.filter(state=Team.State.PENDING).count()
    if waiting and not look.ended:
        text = f"{waiting} team{_s(waiting)} wait{'s' if waiting == 1 else ''} for you to approve or refuse."
        yield Concern(Level.LOOK, text, f"{look.url('desk-teams')}?state=pending", "Approve or refuse")


def questions(look: Look) -> Iterator[Concern]:
    waiting = look.contest.questions.waiting().order_by()
    count, oldest = waiting.aggregate(count=Count("pk"), oldest=Min("asked_at")).values()
    if count:
        text = f"{count} question{_s(count)} without an answer, the oldest for {in_words(look.now - oldest)}."
        yield Concern(Level.LOOK, text, look.url("desk-questions"), "Answer")


def bots(look: Look) -> Iterator[Concern]:
    """Teams without a bot as a deadline comes near, and those whose latest version was rejected."""
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
        text = f"{_count(rejected, 'team has', 'teams have')} no bot: the latest version was rejected."
        level = Level.LOOK if near else Level.KNOW
        yield Concern(level, text, f"{look.url('desk-versions')}?state=rejected", "Versions", _teams(look, rejected))
    if not near or look.deadline is None:
        return
    silent = [team for team in without if team.newest is None]
    if silent:
        text = f"{_count(silent, 'team has', 'teams have')} sent nothing, and the time ends in "
        yield Concern(
            Level.LOOK,
            f"{text}{in_words(look.deadline - look.now)}.",
            look.url("desk-teams"),
            "Teams",
            _teams(look, silent),
        )
    worse = [team for team in teams if team.active and team.newest == Submission.State.REJECTED]
    if worse:
        text = f"{_count(worse, 'team plays', 'teams play')} with an older version: the latest was rejected."
        yield Concern(Level.KNOW, text, look.url("desk-versions"), "Versions", _teams(look, worse))


def connections(look: Look) -> Iterator[Concern]:
    """Programs that were connected to the contest server and are not any more."""
    there = None if look.ended else clients.overview(look.contest, look.now)
    if there is None:
        return
    playing = any(stage.state == Stage.State.RUNNING for stage in look.stages)
    if not Duty.objects.filter(name=clients.DUTY, until__gt=look.now).exists():
        text = "The contest server does not answer: no team’s program can connect (manage.py botserver)."
        yield Concern(Level.ACT if playing else Level.LOOK, text, "#workers", "Workers")
        return
    if there.gone:
        gone = [client.team for client in there.gone]
        text = f"{_count(gone, 'team has', 'teams have')} lost the connection to the contest server; "
        text += f"{len(there.connected)} of {there.teams} are connected."
        level = Level.LOOK if playing else Level.KNOW
        yield Concern(level, text, look.url("desk-teams"), "Teams", _teams(look, gone))
    if there.never and playing:
        armed = set(Submission.objects.active().filter(team__contest=look.contest).values_list("team", flat=True))
        never = [client.team for client in there.never if client.team.pk not in armed]
        text = f"{_count(never, 'team has', 'teams have')} sent no bot and never been connected to the contest server."
        if never:
            yield Concern(Level.KNOW, text, look.url("desk-teams"), "Teams", _teams(look, never))


# Stages ---------------------------------------------------------------------------------------------------------------


def starts(look: Look) -> Iterator[Concern]:
    """Stages that are due and refused, or that will not start as they should."""
    if look.ended:
        return
    for stage in look.stages:
        if not stage.can_be_edited:
            continue
        page = look.url("desk-stage", stage.pk)
        soon = look.starts_soon(stage)
        if stage.refusal:
            yield Concern(Level.ACT, f"{stage} could not start when it was due: {stage.refusal}", page, "See the stage")
        elif stage.state == Stage.State.DRAFT:
            if when := _would_start(look, stage):
                text = f"{stage} has to be published: it is still a draft and {when}."
                yield Concern(Level.ACT, text, page, "Publish it")
        elif why := admission.held_back(stage, look.now):
            yield Concern(Level.LOOK, f"{stage} is due and waits a little: {why}.", page, "See the stage")
        elif soon and not stage.played_in.runs:
            absent = admission.absent(look.contest, admission.current_order(stage))
            if absent:
                text = f"{stage} would be drawn without {_count(absent, 'team')}: no bot."
                yield Concern(Level.LOOK, text, page, "See the stage", _teams(look, absent))


def _would_start(look: Look, stage: Stage) -> str:
    """When a draft is to start by itself, in words; nothing unless that is near or past."""
    if stage.starts_at and not look.starts_soon(stage):
        return ""
    if stage.starts_after and (source := stage.source):
        if source.is_over:
            return f"was to start when {source} was finished"
        if source.ends_at is None:
            return f"is to start after {source}, which is under way" if source.has_started else ""
        left = source.ends_at - look.now
        ends = f"ends in {in_words(left)}" if left > timedelta() else "is at its end"
        return f"is to start after {source}, which {ends}" if left < SOON else ""
    if not stage.starts_at:
        return ""
    away = in_words(stage.starts_at - look.now)
    return f"is to start in {away}" if stage.starts_at > look.now else f"was to start {away} ago"


def ladders(look: Look) -> Iterator[Concern]:
    """Their ends beside the end of uploads."""
    for stage, text in deadlines.apart(look.contest, look.stages, look.now):
        level = Level.LOOK if stage.ends_at and stage.ends_at < look.contest.upload_deadline else Level.KNOW
        yield Concern(level, text, look.url("desk-stage", stage.pk), "See the stage")


def _just_played(look: Look, stage: Stage) -> bool:
    """Has its last match ended so lately that the clock has still to make the next ones, or to end the stage?"""
    return stage.matches.filter(finished_at__gt=look.now - BREATH).exists()


def courses(look: Look) -> Iterator[Concern]:
    """Stages that are under way and do not go on by themselves."""
    paused = pauses(look.contest) if any(stage.state == Stage.State.PAUSED for stage in look.stages) else {}
    for stage in look.stages:
        page = look.url("desk-stage", stage.pk)
        if stage.state == Stage.State.PAUSED:
            act = paused.get(stage.pk)
            since = f" for {in_words(look.now - act.at)}" if act else ""
            why = f" ({act.reason})" if act and act.reason else ""
            yield Concern(Level.LOOK, f"{stage} is paused{since}{why}: no match begins.", page, "Resume it")
        waits = stage.played_in.runs or stage.played_in.continuous or stage.open_matches
        if stage.state == Stage.State.RUNNING and not waits and not _just_played(look, stage):
            yield Concern(Level.LOOK, f"{stage} is being played, but no match of it is queued.", page, "See the stage")
        if (number := releases.next_round(stage)) is not None:
            text = f"Round {number} of {stage} is played, and only those with a role see its results."
            yield Concern(Level.LOOK, text, look.url("desk-visibility"), "Release it")
        if not look.ended and (drift := admission.drift(stage)):
            why = "is played again in part" if drift.reopened else "has another ranking now"
            text = f"{stage} goes on as it began, but {stage.source} {why}."
            names = [
                *(f"{name} would be in" for name in drift.missing),
                *(f"{name} would not" for name in drift.surplus),
            ]
            yield Concern(Level.LOOK, text, page, "See the stage", tuple((name, "") for name in names))


def pauses(contest: Contest) -> dict[int, Act]:
    """The latest pause of every stage, by its id."""
    acts = contest.acts.filter(verb="pause stage").select_related("user").order_by("at", "pk")
    return {act.data["stage"]: act for act in acts if "stage" in act.data}


def openings(look: Look) -> Iterator[Concern]:
    """A clone is private until somebody makes it public."""
    private = look.contest.visibility == Contest.Visibility.PRIVATE
    if look.ended or look.contest.play_started_at or not private:
        return
    if look.contest.acts.filter(verb="clone contest", data__has_key="of").exists():
        text = "This contest is a clone and private as yet: nobody but its organisers and its teams sees it."
        yield Concern(Level.KNOW, text, look.url("desk-settings"), "Make public")


def endings(look: Look) -> Iterator[Concern]:
    """What is left to do when everything is played, or when nothing is planned."""
    if look.ended:
        return
    near = look.contest.upload_deadline - look.now < SOON
    if not look.stages:
        if near:
            text = "There is no stage: nothing is played when the uploads close."
            yield Concern(Level.LOOK, text, look.url("desk-stages"), "Make one")
        return
    drafts = [stage for stage in look.stages if stage.state == Stage.State.DRAFT]
    if len(drafts) == len(look.stages) and not any(look.starts_soon(stage) for stage in drafts):
        text = "No stage is published: teams do not see what will be played, and nothing starts by itself."
        first = look.url("desk-stage", drafts[0].pk)
        place, deed = (first, "Publish it") if len(drafts) == 1 else (look.url("desk-stages"), "Publish them")
        yield Concern(Level.LOOK if near else Level.KNOW, text, place, deed)
    if all(stage.is_over for stage in look.stages):
        if look.contest.frozen_from and look.contest.frozen_from <= look.now:
            text = "Everything is played, and results are still frozen for the public."
            yield Concern(Level.LOOK, text, look.url("desk-visibility"), "Show them")
        elif not look.contest.uploads_open(look.now):
            text = "Everything is played. End the contest when its results are final."
            yield Concern(Level.KNOW, text, look.url("desk-settings"), "End it")


def trials(look: Look) -> Iterator[Concern]:
    """Reviews that wait for a decision, rehearsals that failed."""
    open_ones: Iterable[Any] = reviews.undecided(Review.objects.filter(contest=look.contest))
    for review in open_ones:
        page = look.url("desk-stage-review", review.stage_id, review.pk)
        done = f"{review.played} of {review.planned} matches of {review.stage} are played again"
        if review.played == review.planned:
            yield Concern(Level.LOOK, f"{done}: apply {review} or drop it.", page, "Decide")
        else:
            yield Concern(Level.KNOW, f"{done} ({review}).", page, "See it")
    for stage in look.stages:
        rehearsal = getattr(stage, "rehearsal", None)
        if rehearsal is not None and rehearsal.state == Rehearsal.State.FAILED and not stage.has_started:
            page = look.url("desk-stage-rehearsal", stage.pk)
            yield Concern(Level.LOOK, f"The rehearsal of {stage} failed: {rehearsal.error}", page, "See it")


PARTS: tuple[Part, ...] = (
    machinery, starts, matches, courses, ladders, questions, admissions, trials, bots, connections, builds,
    openings, endings,
)  # fmt: skip


# Words ----------------------------------------------------------------------------------------------------------------


def _teams(look: Look, teams: Sequence[Team]) -> tuple[tuple[str, str], ...]:
    return tuple((team.name, look.url("desk-team", team.pk)) for team in teams)


def _count(things: Sequence[object], one: str, many: str = "") -> str:
    return f"{len(things)} {one if len(things) == 1 else many or one + 's'}"


def _s(count: int) -> str:
    return "" if count == 1 else "s"
