"""Stages that do not start, continue or end as planned; reviews and rehearsals that wait for a decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from contest.formatting import duration
from contest.models import Contest, Kind, LedgerEntry
from games.phrases import counted
from tournaments import kinds
from tournaments.attention.look import SOON, Concern, Level, Look, linked
from tournaments.models import Rehearsal, Review, Stage
from tournaments.organising import admission, deadlines, releases, reviews
from tournaments.organising.timetable import name_of

CHECK_IN = timedelta(hours=2)  # before it closes: from then on, teams that are missing matter
LATE = timedelta(minutes=15)  # before a round starts: from then on, matches of the round before matter
BREATH = timedelta(seconds=30)  # that the clock may take to create the next matches, or to start a stage


def starts(look: Look) -> Iterator[Concern]:
    """Stages that could not start, or that will not start as planned."""
    if look.ended:
        return
    for stage in look.stages:
        if not stage.can_be_edited:
            continue
        page = look.url("desk-stage", stage.pk)
        soon = look.starts_soon(stage)
        if stage.refusal:
            yield Concern(Level.ACT, f"{stage} could not start on time: {stage.refusal}", page, "See the stage")
        elif stage.state == Stage.State.DRAFT:
            if when := _would_start(look, stage):
                text = f"{stage} is still a draft and {when}. Publish it."
                level = Level.LOOK if _is_just_due(look, stage) else Level.ACT
                yield Concern(level, text, page, "Publish it")
            elif waiting := _waiting_for(look, stage):
                text = f"{stage} is still a draft, and {waiting[0]} waits for it. Publish it."
                yield Concern(Level.LOOK, text, page, "Publish it")
        elif stage.is_held and stage.due_at and stage.due_at <= look.now:
            yield Concern(Level.ACT, f"{stage} is on hold. It starts when you start it.", page, "Start it")
        elif why := admission.held_back(stage, look.now):
            yield Concern(Level.LOOK, f"{stage} is due and starts a little later: {why}.", page, "See the stage")
        elif soon and kinds.of(stage).expects_bots:
            absent = admission.absent(look.contest, admission.current_order(stage))
            if absent:
                teams = counted(len(absent), "team that has", "teams that have")
                text = f"{stage} would start without {teams} no bot."
                yield Concern(Level.LOOK, text, page, "See the stage", linked(look, absent))


def check_ins(look: Look) -> Iterator[Concern]:
    """Teams that are not checked in, once that is about to matter."""
    for stage in [] if look.ended else look.stages:
        if stage.check_in_closes_at is None or not stage.can_be_edited:
            continue
        left = stage.check_in_closes_at - look.now
        away = admission.missing(stage, admission.current_order(stage)) if left < CHECK_IN else []
        teams = counted(len(away), "team is", "teams are")
        text = f"{teams} not checked in for {stage}. Check-in closes in {duration(left)}."
        if left <= timedelta():
            text = f"{teams} left out of {stage}: not checked in when check-in closed."
        if away:
            yield Concern(Level.LOOK, text, look.url("desk-check-in"), "Check-in", linked(look, away))


def _waiting_for(look: Look, draft: Stage) -> list[Stage]:
    """The published stages that cannot start before this one is over."""
    published = (it for it in look.stages if it.state == Stage.State.PUBLISHED and it.source_id == draft.pk)
    return [it for it in published if it.awaits_source or it.starts_after]


def _would_start(look: Look, stage: Stage) -> str:
    """When a draft should start by itself, in words; empty unless that is soon or past."""
    if stage.starts_at and not look.starts_soon(stage):
        return ""
    if stage.starts_after and (source := stage.source):
        if source.is_over:
            return f"should have started when {source} finished"
        if source.ends_at is None:
            return f"should start after {source}, which is running" if source.has_started else ""
        left = source.ends_at - look.now
        ends = f"ends in {duration(left)}" if left > timedelta() else "is ending now"
        return f"should start after {source}, which {ends}" if left < SOON else ""
    if not stage.starts_at:
        return ""
    if _is_just_due(look, stage):
        return "should start now"
    away = duration(stage.starts_at - look.now)
    return f"should start in {away}" if stage.starts_at > look.now else f"should have started {away} ago"


def _is_just_due(look: Look, stage: Stage) -> bool:
    """Was its start due within the last seconds? That is normal right after a contest is created."""
    if stage.starts_at is None or stage.starts_after:
        return False
    return timedelta() <= look.now - stage.starts_at < BREATH


def rounds(look: Look) -> Iterator[Concern]:
    """Rounds that wait for an organiser, and rounds whose time comes while the one before is still played."""
    for stage in look.stages:
        if stage.state != Stage.State.RUNNING or (coming := look.coming.get(stage.pk)) is None:
            continue
        page, what = look.url("desk-stage", stage.pk), f"{coming.name} of {stage}"
        if coming.row.hold and not stage.open_matches:
            yield Concern(Level.ACT, f"{what} is on hold. It starts when you start it.", page, "Start it")
        elif coming.starts_at and stage.open_matches and coming.starts_at - look.now < LATE:
            left = coming.starts_at - look.now
            when = f"is to start in {duration(left)}" if left > timedelta() else f"was to start {duration(left)} ago"
            text = f"{what} {when}, and {counted(stage.open_matches, 'match')} before it "
            yield Concern(Level.LOOK, f"{text}must still be played. Move it if they take longer.", page, "Move it")


def ladders(look: Look) -> Iterator[Concern]:
    """Ladders that do not end when uploads close, and stages that start while a team may still upload."""
    for stage in [] if look.ended else look.stages:
        if early := deadlines.too_early_for(stage, look.now):
            yield Concern(Level.LOOK, early, look.url("desk-stage", stage.pk), "See the stage")
    for stage, text in deadlines.apart(look.contest, look.stages, look.now):
        level = Level.LOOK if stage.ends_at and stage.ends_at < look.contest.upload_deadline else Level.KNOW
        yield Concern(level, text, look.url("desk-stage", stage.pk), "See the stage")


def courses(look: Look) -> Iterator[Concern]:
    """Running stages that do not continue by themselves, and those that wait for an abandoned one."""
    paused = pauses(look.contest) if any(stage.state == Stage.State.PAUSED for stage in look.stages) else {}
    for stage in look.stages:
        page = look.url("desk-stage", stage.pk)
        if stage.state == Stage.State.PAUSED:
            entry = paused.get(stage.pk)
            since = f" for {duration(look.now - entry.at)}" if entry else ""
            why = f" ({entry.reason})" if entry and entry.reason else ""
            yield Concern(Level.LOOK, f"{stage} is paused{since}{why}. No new matches start.", page, "Resume it")
        if not look.ended and stage.is_stranded:
            text = f"{stage} waits for {stage.source}, which was abandoned. Edit it."
            yield Concern(Level.LOOK, text, page, "See the stage")
        waits = kinds.of(stage).idles or stage.open_matches or stage.pk in look.coming
        lately = stage.matches.filter(finished_at__gt=look.now - BREATH)  # the clock may be creating the next ones
        if stage.state == Stage.State.RUNNING and not waits and not lately.exists():
            yield Concern(Level.LOOK, f"{stage} is running, but none of its matches is queued.", page, "See the stage")
        if (number := releases.next_round(stage)) is not None:
            text = f"{name_of(stage, number)} of {stage} finished. Only people with a role see the results."
            yield Concern(Level.LOOK, text, look.url("desk-visibility"), "Release it")
        if not look.ended and (drift := admission.drift(stage)):
            why = drift.reopened or "has a new ranking"
            text = f"{stage.source} {why}, but {stage} has already started and keeps its teams."
            names = [
                *(f"{name} would now play" for name in drift.missing),
                *(f"{name} would not" for name in drift.surplus),
            ]
            yield Concern(Level.LOOK, text, page, "See the stage", tuple((name, "") for name in names))


def pauses(contest: Contest) -> dict[int, LedgerEntry]:
    """The latest pause of every stage, by its id."""
    entries = contest.ledger.filter(kind=Kind.STAGE_PAUSED).select_related("by").order_by("number")
    return {entry.stage_id: entry for entry in entries if entry.stage_id is not None}


def trials(look: Look) -> Iterator[Concern]:
    """Reviews that wait for a decision, and failed rehearsals."""
    open_ones: Iterable[Any] = reviews.undecided(Review.objects.filter(contest=look.contest))
    for review in open_ones:
        page = look.url("desk-stage-review", review.stage_id, review.pk)
        done = f"{review}: {review.played} of {review.planned} matches of {review.stage} have been played again"
        if review.played == review.planned:
            yield Concern(Level.LOOK, f"{done}. Apply or drop the results.", page, "Decide")
        else:
            yield Concern(Level.KNOW, f"{done}.", page, "See it")
    for stage in look.stages:
        rehearsal = getattr(stage, "rehearsal", None)
        if rehearsal is not None and rehearsal.state == Rehearsal.State.FAILED and not stage.has_started:
            page = look.url("desk-stage-rehearsal", stage.pk)
            yield Concern(Level.LOOK, f"The rehearsal of {stage} failed: {rehearsal.error}", page, "See it")
