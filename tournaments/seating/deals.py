"""Deals that are played more than once. Nobody may play deals again that they have seen.

An uploaded bot is safe: its version is fixed, and it remembers nothing from match to match. A connected program sees
every deal it plays, and the people behind it can read the records of other matches. So it never plays shared deals:

* `check_stage` and `check_contest` refuse the one where the other is,
* once such a stage is finished, programs may connect; what is still played in it then (instead of a void match) is
  played by the versions with which it started (draw.py), and after a reset it does not start.

So nobody at the table can act on what is read. All the same, readers without a role see no more than every seat may
know while a match on the same deals is still to be played (kinds.secrecy), so nobody has to rely on this list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from contest.models import Contest
from contest.refusal import Refused
from tournaments.models import Match, Stage


def check_stage(contest: Contest, options: Mapping[str, Any]) -> None:
    """Check whether a stage of this contest may have these options. Raises Refused."""
    if contest.live and options.get("duplicate"):
        raise Refused(
            "The same deals from every seat are not fair here: teams may connect their own programs to this contest, "
            "and those would play deals that they have seen."
        )


def check_again(matches: Iterable[Match], active: Mapping[int, int]) -> None:
    """Check whether these matches may be replayed on the same deals. `active`: by team, the version that would play
    now; other teams use the original version. Raises Refused."""
    for match in matches:
        for seat in match.seats.all():
            if seat.is_live:
                raise Refused(
                    f"In {match} a team played with a program of its own, which has seen these deals. Choose other "
                    "deals."
                )
            if active.get(seat.team_id or 0, seat.submission_id) != seat.submission_id:
                raise Refused(
                    f"In {match} {seat.team} would play with another version than before, and its author may have "
                    "read these deals. Choose other deals for all matches on them, or the versions that played then."
                )


def check_contest(contest: Contest) -> None:
    """Check whether the contest's settings suit its stages. Call it before saving. Raises Refused."""
    if not contest.live:
        return
    unfinished = contest.stages.filter(options__duplicate=True).exclude(state__in=Stage.ENDED)
    if stage := unfinished.order_by("pk").first():
        raise Refused(
            f"Teams’ own programs cannot connect yet: “{stage}” is played on the same deals from every seat, and they "
            "would see those. Change that stage, or wait until it is finished."
        )
