"""Deals that are played more than once: not where somebody who has seen them plays them again.

A bot meets a deal with a version that stays as it is and remembers nothing from match to match. A program of a team's
own that is connected sees every deal that it plays, and people behind it can read the records of the other matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from contest.models import Contest
from contest.refusal import Refused
from tournaments.models import Match, Stage


def check_stage(contest: Contest, options: Mapping[str, Any]) -> None:
    """May a stage of this contest have these options? Raises Refused."""
    if contest.live and options.get("duplicate"):
        raise Refused(
            "The same deals from every chair are not fair here: teams’ own programs may connect to this contest, and "
            "would play deals that they have seen."
        )


def check_again(matches: Iterable[Match], active: Mapping[int, int]) -> None:
    """May these be played once more on the deals that they had? `active`: by team, the version that would play now; who
    is not in it plays with the one of then. Raises Refused."""
    for match in matches:
        for seat in match.seats.all():
            if seat.is_live:
                raise Refused(
                    f"In {match} a team played with a program of its own, which has seen these deals. Choose other "
                    "deals."
                )
            if active.get(seat.team_id or 0, seat.submission_id) != seat.submission_id:
                raise Refused(
                    f"In {match} {seat.team} would play with another version than then, and whoever wrote it may have "
                    "read these deals. Choose other deals, for all matches on them, or the versions that played then."
                )


def check_contest(contest: Contest) -> None:
    """May the contest be as it is now, with the stages that it has? Raises Refused. Called before it is saved."""
    if not contest.live:
        return
    unfinished = contest.stages.filter(options__duplicate=True).exclude(state__in=Stage.ENDED)
    if stage := unfinished.order_by("pk").first():
        raise Refused(
            f"Teams’ own programs cannot connect yet: “{stage}” is played on the same deals from every chair, and "
            "they would see them. Change that stage, or let it be finished first."
        )
