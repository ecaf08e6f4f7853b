"""Stages that do not start, go on or end as they should, and what was tried on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from contest.formatting import duration
from contest.models import Act, Contest
from tournaments.desk.attention.look import SOON, Concern, Level, Look, counted, linked
from tournaments.models import Rehearsal, Review, Stage
from tournaments.organising import admission, deadlines, releases, reviews

BREATH = timedelta(seconds=30)  # after a match, in which the clock makes the next ones; and after a start that is due


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
                level = Level.LOOK if _is_just_due(look, stage) else Level.ACT
                yield Concern(level, text, page, "Publish it")
        elif why := admission.held_back(stage, look.now):
            yield Concern(Level.LOOK, f"{stage} is due and waits a little: {why}.", page, "See the stage")
        elif soon and not stage.played_in.runs:
            absent = admission.absent(look.contest, admission.current_order(stage))
            if absent:
                text = f"{stage} would be drawn without {counted(absent, 'team')}: no bot."
                yield Concern(Level.LOOK, text, page, "See the stage", linked(look, absent))


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
        ends = f"ends in {duration(left)}" if left > timedelta() else "is at its end"
        return f"is to start after {source}, which {ends}" if left < SOON else ""
    if not stage.starts_at:
        return ""
    if _is_just_due(look, stage):
        return "is to start now"
    away = duration(stage.starts_at - look.now)
    return f"is to start in {away}" if stage.starts_at > look.now else f"was to start {away} ago"


def _is_just_due(look: Look, stage: Stage) -> bool:
    """Has its time come this moment? So it is where a contest is just made that opens at once."""
    if stage.starts_at is None or stage.starts_after:
        return False
    return timedelta() <= look.now - stage.starts_at < BREATH


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
            since = f" for {duration(look.now - act.at)}" if act else ""
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
