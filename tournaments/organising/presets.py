"""The stages of the five contests (docs/contests.md), as their organisers ran them. New contests get them as drafts.

contest.presets has the settings of the contests, and each game's folder those of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from contest.models import Contest, User
from tournaments import formats
from tournaments.formats.judged_set import DRAWN, new_seed
from tournaments.models import Stage
from tournaments.organising import stages
from tournaments.organising.stage_settings import Wish

Entry, Seeding = Stage.Entry, Stage.Seeding


class Start(StrEnum):
    """When a published stage starts automatically."""

    OPENING = "when the contest opens"
    DEADLINE = "when uploads close"
    AFTER = "when the stage before is finished"


@dataclass(frozen=True, slots=True)
class Draft:
    """A stage of a preset. `about` describes it to the organiser, following the original rules."""

    name: str
    format: str
    about: str
    start: Start = Start.DEADLINE
    options: Mapping[str, Any] = field(default_factory=dict)
    drawn: Callable[[], Mapping[str, Any]] = dict  # options drawn at random
    seeding: str = Seeding.NUMBER
    ends: bool = False  # whether it ends when uploads close

    def wish(self, contest: Contest, before: Stage | None) -> Wish:
        """The settings for the contest. `before`: the stage created just before this one."""
        after = self.start == Start.AFTER
        starts_at = {Start.OPENING: contest.opens_at, Start.DEADLINE: contest.upload_deadline}.get(self.start)
        return Wish(
            name=self.name,
            format=self.format,
            options={**self.options, **self.drawn()},
            seeding=self.seeding,
            starts_at=starts_at,
            starts_after=after,
            ends_at=contest.upload_deadline if self.ends else None,
            source=before if after else None,
        )

    @property
    def format_title(self) -> str:
        return formats.get(self.format).title


STAGES: dict[str, tuple[Draft, ...]] = {
    # "a single-elimination tournament. With four players, 300 points a game" ("Restrictions" in the Utah problem). Four
    # games, so that everybody deals first once.
    "utah-1998": (
        Draft(
            "Play-off",
            "single_elimination",
            "Single elimination at tables of four, seeded by seed number. A table plays four games, so every player "
            "deals first once. Ties go to a play-off.",
            options={"table_size": 4, "advance": 1, "games": 4},
        ),
    ),
    # Judge's games: a published sample and a hidden set; solved first, then penalty time
    "bospre-2009": (
        Draft(
            "Even Steven",
            "judged_set",
            f"Every version is judged on the published games and {DRAWN} hidden ones, drawn when the contest is "
            "created. Teams are ranked as in ACM contests: solved first, then penalty, then the earlier run.",
            Start.OPENING,
            drawn=lambda: {"draw": DRAWN, "draw_seed": new_seed()},
        ),
    ),
    # "players with similar numbers of tournament points play each other … each takes part in one four player game"; the
    # system players are in the weakest game ("Intensity Tournament")
    "comp1511-2018": (
        Draft(
            "Tournament",
            "swiss",
            "Swiss system at tables of four: 3, 2, 1 and 0 points by place. Players with similar points meet, and "
            "house players fill the weakest table. One game per round, and enough rounds to find the best player.",
            options={"table_size": 4, "games": 1},
        ),
    ),
    # "each player compete against every combination of other players in all possible seat arrangements. If the number
    # of entries is large, the best four … will be selected in some fair way" (the Hearts challenge)
    "mactech-1998": (
        Draft(
            "Challenge",
            "combinations",
            "Every four entries meet in all 24 seatings. If that takes too many games, all entries play equally often "
            "in a qualifier, and the best four play the final. The lowest points and times win.",
        ),
    ),
    # A ladder with a last hour in which everybody plays, then the final, seeded by it ("Contest Structure" in the
    # Barracuda rules)
    "barracuda-2014": (
        Draft(
            "Open play",
            "ladder",
            "A ladder of all teams that are connected or have uploaded a bot, ranked by Elo. Teams rest for 30 seconds "
            "between matches. In the last hour before uploads close, every team that has a bot or was ever connected "
            "is matched, even if it is away.",
            Start.OPENING,
            options={"table_size": 2, "final_minutes": 60, "pause": 30},
            ends=True,
        ),
        Draft(
            "Final",
            "single_elimination",
            "Single elimination at tables of two, seeded by the ladder, for teams that are connected or have uploaded "
            "a bot when it starts. A match has up to 21 games and ends early once a team is five ahead.",
            Start.AFTER,
            options={"table_size": 2},
            seeding=Seeding.SOURCE,
        ),
    ),
}


def prepare(contest: Contest, by: User) -> None:
    """Create the stages of the contest's preset as drafts. Call inside a transaction."""
    before = None
    for draft in STAGES.get(contest.preset, ()):
        before = stages.create(contest, by, draft.wish(contest, before))
