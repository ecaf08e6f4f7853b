"""What organisers can do to a stage, a round, a review or a team: the table that the desk's pages and the API share.

The texts are those of the desk's pages. What is not possible raises Refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from contest.models import Team, User
from tournaments.models import Review, Stage
from tournaments.organising import endings, impact, rehearsals, releases, reviews, rounds, stages
from tournaments.organising.impact import Ending, Impact

STAGE: dict[str, tuple[Callable[..., None], str]] = {
    "publish": (stages.publish, "Stage published: everybody can see it now."),
    "unpublish": (stages.unpublish, "Stage unpublished: it is a draft again."),
    "start": (stages.start, "Stage started. Its first matches are waiting for a worker."),
    "pause": (stages.pause, "Stage paused. Matches in progress finish; no new ones start."),
    "resume": (stages.resume, "Stage resumed."),
    "decide": (stages.decide, "This stage decides the contest now: the team that wins it is the champion."),
    "delete": (stages.delete, "Stage deleted."),
}
WITH_A_REASON = ("pause", "resume")
"""Actions on stages that take a reason; it is optional."""

ASKING_FOR_THE_CHAMPION = ("publish", "start")
"""Actions that take `decides`: whether a stage that becomes public decides a contest that has a champion already."""

REHEARSAL: dict[str, tuple[Callable[[Stage, User], object], str]] = {
    "ask": (rehearsals.ask, "Rehearsal requested. It starts as soon as a worker is free."),
    "delete": (rehearsals.delete, "Rehearsal deleted."),
}
ROUND: dict[str, tuple[Callable[[Stage, User, int], None], str]] = {
    "start-round": (rounds.start_now, "{} started."),
    "hold-round": (rounds.hold, "{}: on hold until you start it."),
    "follow-timetable": (rounds.follow_timetable, "{}: no longer on hold."),
    "show-pairings": (rounds.show_pairings, "{}: everybody can see now who meets."),
    "release": (releases.release, "{} released."),
    "take-back": (releases.take_back, "{} hidden: the results are no longer public."),
}
REVIEW: dict[str, tuple[Callable[[Review, User], None], str]] = {
    "apply": (reviews.apply, "Review applied: the new results count now."),
    "drop": (reviews.drop, "Review dropped: the old results stay."),
}


@dataclass(frozen=True, slots=True)
class OnStarted:
    """What an organiser can do to a stage that has started, what that would change, and why it may be impossible."""

    do: Callable[..., None]
    preview: Callable[[Stage], Ending]
    why_not: Callable[[Stage], str]
    title: str
    text: str
    done: str


ENDINGS = {
    "reset": OnStarted(
        endings.reset,
        impact.of_reset,
        endings.why_not_reset,
        "Reset",
        "The stage goes back to before its start, as if it had never been played. All its matches become void, and "
        "ratings ignore them. Everybody can still look at them. The stage does not start again by itself: you start it "
        "when you are ready, on other deals and with the teams that can play then.",
        "Stage reset. Start it again when you are ready.",
    ),
    "shorten": OnStarted(
        endings.shorten,
        impact.of_shortening,
        endings.why_not_shortened,
        "Shorten",
        "The stage ends early. If it is played in rounds, it ends after the current round, and the ranking after that "
        "round is final. A ladder creates no more matches. Matches in progress finish, even if the stage is paused. "
        "You cannot undo this.",
        "Stage shortened. It finishes when its last matches are over.",
    ),
    "abandon": OnStarted(
        endings.abandon,
        impact.of_abandoning,
        endings.why_not_abandoned,
        "Abandon",
        "The stage ends now, without a winner. Matches in progress and in the queue become void. Results so far stay "
        "and count for the ratings. Stages that take their teams from this one will have no teams: edit them to choose "
        "others. You cannot undo this. You can only reset the stage and play it from the beginning.",
        "Stage abandoned.",
    ),
}


@dataclass(frozen=True, slots=True)
class OnSeats:
    """What an organiser can do to a seat in which nobody has played."""

    title: str
    text: str
    done: str


SEATS = {
    "replace": OnSeats(
        "Replace a team",
        "Before its first match, a team can be replaced by another one of the contest. The newcomer has the same seed "
        "number and meets the same opponents, with the version that is active now. Everybody sees the reason.",
        "{} has the seat now.",
    ),
    "bye": OnSeats(
        "Give away a bye",
        "A team that is not in the draw takes a bye or an empty seat of round 1, as the last seed. Everybody sees the "
        "reason.",
        "{} is in now.",
    ),
}

State = Team.State


@dataclass(frozen=True, slots=True)
class OnTeam:
    """What an organiser can do to a team, what that would change, and in which states of the team it is possible."""

    do: Callable[[Team, User, str], None]
    preview: Callable[[Team], Impact]
    possible_in: tuple[str, ...]
    title: str
    text: str
    otherwise: str

    def possible(self, team: Team) -> bool:
        return team.state in self.possible_in


TEAM = {
    "disqualify": OnTeam(
        stages.disqualify,
        impact.of_leaving,
        (State.PENDING, State.APPROVED, State.WITHDRAWN),
        "Disqualify",
        "The team ranks last and plays no more. Its results stand. Where it would have advanced, the next team in line "
        "advances instead. Everybody sees the reason.",
        "This team does not take part, so you cannot disqualify it.",
    ),
    "withdraw": OnTeam(
        stages.withdraw,
        impact.of_leaving,
        (State.PENDING, State.APPROVED),
        "Withdraw",
        "Use this when a team asks to leave. It ranks last and plays no more. Its results stand. Where it would have "
        "advanced, the next team in line advances instead.",
        "This team does not take part, so you cannot withdraw it.",
    ),
    "reinstate": OnTeam(
        stages.reinstate,
        impact.of_returning,
        (State.DISQUALIFIED, State.WITHDRAWN),
        "Reinstate",
        "The team returns to the places it earned. Teams that play in its stead lose those seats.",
        "This team is neither disqualified nor withdrawn, so there is nothing to undo.",
    ),
}
