"""Previews: what an organiser's action would change in all stages of a contest and in its standings.

They are computed in the same way as the action itself: each stage's kind uses the results that would remain, and
ratings use the same chain. Nothing is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass, replace

from contest.models import Contest, Team
from tournaments import kinds
from tournaments.kinds.consequences import OUT, Imagined, Shift, StageImpact, shifts_of
from tournaments.models import Match, Review, Stage
from tournaments.organising.reviews import Pair
from tournaments.results import ratings, standings
from tournaments.results.visibility import everything

MOST_PLAYED = 10_000  # for a stage with more results the standings without them take too long to preview


@dataclass(frozen=True, slots=True)
class Impact:
    """`stages`: those that have begun. `coming`: those that would be drawn again with other entrants."""

    stages: list[StageImpact]
    coming: list[Stage]
    standings: list[Shift]  # of the contest, by rating

    @property
    def voided(self) -> list[Match]:
        return [match for stage in self.stages for match in stage.voided]


def of_leaving(team: Team) -> Impact:
    return _of_team(team, out={team.pk})


def of_returning(team: Team) -> Impact:
    return _of_team(team, back={team.pk})


def _of_team(team: Team, out: Set[int] = frozenset(), back: Set[int] = frozenset()) -> Impact:
    begun, coming = [], []
    imagined = Imagined(out=out, back=back)
    for stage in team.contest.stages.exclude(state=Stage.State.DRAFT).select_related("contest", "source"):
        if stage.has_started:
            if (found := kinds.of(stage).consequences(stage, imagined)) is not None:
                begun.append(found)
        elif stage.state == Stage.State.PUBLISHED and (back or team.pk in stage.order):
            coming.append(stage)
    gone = [match for found in begun for match in found.voided]
    return Impact(begun, coming, _standings(team.contest, without=gone, out=out, back=back))


def of_voiding(match: Match) -> Impact:
    seen = _consequences(match.stage, {match.pk: None})
    return Impact([seen], [], _standings(match.stage.contest, without=[match, *seen.voided]))


def of_restoring(match: Match) -> Impact:
    """Raises Refused where there is no place for the match any more."""
    stage = match.stage
    found = kinds.of(stage).restored(stage, match)
    seen = kinds.of(stage).consequences(stage, Imagined(restored=found.matches)) or StageImpact(stage)
    seen = replace(seen, replaced=found.replaced, restored=found.matches[1:])
    adding = Match.objects.filter(pk__in=[each.pk for each in found.matches]).prefetch_related("seats")
    return Impact([seen], [], _standings(stage.contest, without=seen.voided, adding=list(adding)))


def of_substitute(stage: Stage, then: Stage) -> Impact:
    """`then`: the stage with another team (substitutes.put_in)."""
    seen = kinds.of(stage).consequences(stage, Imagined(as_=then)) or StageImpact(stage)
    return Impact([seen], [], [])


def of_review(review: Review, pairs: Sequence[Pair]) -> Impact:
    """The impact of applying the review now, with the matches played so far."""
    stage = review.stage
    pairs = [pair for pair in pairs if pair.stands and pair.is_played]
    seen = _consequences(stage, {pair.old.pk: pair.new for pair in pairs})
    further = seen.voided
    replaced = {pair.old.pk for pair in pairs}
    gone = [*(pair.old for pair in pairs), *(match for match in further if not match.pending)]
    coming = [pair.new for pair in pairs if pair.new not in further]
    voided = [match for match in further if match.pk not in replaced]
    return Impact([replace(seen, voided=voided)], [], _standings(stage.contest, without=gone, adding=coming))


def _consequences(stage: Stage, replaced: Mapping[int, Match | None]) -> StageImpact:
    return kinds.of(stage).consequences(stage, Imagined(replaced)) or StageImpact(stage)


@dataclass(frozen=True, slots=True)
class Ending:
    """The impact of resetting, shortening or abandoning a stage."""

    played: int  # matches with a result that would no longer count
    unplayed: int  # matches without a result that would be void
    impact: Impact
    last_round: int | None = None  # the round after which the stage would end
    too_many: bool = False  # too many results to preview the standings


def of_reset(stage: Stage) -> Ending:
    valid = stage.matches.valid()
    done = valid.done()
    followers = list(stage.followers.filter(entry=Stage.Entry.BEST, state__in=Stage.UNDER_WAY))
    played = done.count()
    shifts = _standings(stage.contest, without=list(done)) if played <= MOST_PLAYED else []
    impact = Impact([StageImpact(stage, followers=followers)], [stage, *_led_by(stage)], shifts)
    return Ending(played, valid.open().count(), impact, too_many=played > MOST_PLAYED)


def of_shortening(stage: Stage) -> Ending:
    shorter = copy(stage)
    kinds.of(stage).shorten(shorter)
    later = stage.matches.valid()
    later = later.none() if shorter.last_round is None else later.filter(table__round__gt=shorter.last_round)
    found = kinds.of(stage).consequences(
        stage, Imagined(dict.fromkeys(later.values_list("pk", flat=True)), as_=shorter)
    )
    impact = Impact([found or StageImpact(stage)], [], [])
    return Ending(0, later.count(), impact, last_round=shorter.last_round)


def of_abandoning(stage: Stage) -> Ending:
    coming = [follower for follower in _led_by(stage) if follower.order]
    return Ending(0, stage.matches.valid().open().count(), Impact([StageImpact(stage)], coming, []))


def _led_by(stage: Stage) -> list[Stage]:
    """Stages that take their entrants or seeding from this one and have not started."""
    return [follower for follower in stage.followers.filter(state=Stage.State.PUBLISHED) if follower.is_led]


def _standings(
    contest: Contest,
    without: Sequence[Match],
    adding: Sequence[Match] = (),
    *,
    out: Set[int] = frozenset(),
    back: Set[int] = frozenset(),
) -> list[Shift]:
    """How the ranking by rating would change. Teams that are `out` have no rank."""
    gone = [match.pk for match in without if match.state == Match.State.DONE]
    if not (gone or adding or out or back):
        return []
    played = list(Match.objects.filter(pk__in=gone).prefetch_related("seats"))
    sight = everything(contest)
    rows = standings.of_contest(sight)
    before = {row.team.pk: row.rank if row.team.is_competing else OUT for row in rows}
    skills = ratings.imagined(contest, played, adding) if gone or adding else standings.skills_of(sight)
    if skills is None:  # a ladder with very many later results
        return []
    fewer, more = (Counter(seat.team_id for match in some for seat in match.seats.all()) for some in (played, adding))
    left = {row.team.pk for row in rows if not row.team.is_competing} - back | out
    after = standings.ranks(
        {
            row.team.pk: (skills[row.team.pk], row.record.matches - fewer[row.team.pk] + more[row.team.pk])
            for row in rows
            if row.team.pk in skills and row.team.pk not in left
        }
    )
    return shifts_of(before, after | dict.fromkeys(left & before.keys(), OUT))
