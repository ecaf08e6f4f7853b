"""The contest as a whole: whether others see it, whether anything is planned, and what is left when all is played."""

from __future__ import annotations

from collections.abc import Iterator

from contest.models import Contest
from tournaments.desk.attention.look import SOON, Concern, Level, Look
from tournaments.models import Stage


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
