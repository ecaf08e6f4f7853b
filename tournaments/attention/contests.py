"""The contest as a whole: whether others see it, whether anything is planned, and what remains at the end."""

from __future__ import annotations

from collections.abc import Iterator

from contest.models import Contest
from tournaments.attention.look import SOON, Concern, Level, Look
from tournaments.models import Stage


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
        elif not look.contest.uploads_open(look.now):
            text = "All matches have been played. End the contest when the results are final."
            yield Concern(Level.KNOW, text, look.url("desk-settings"), "End the contest")
