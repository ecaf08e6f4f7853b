"""Replaying the ledger: everything stored for speed follows from its entries and the outcomes of matches.

For a match these are the numbers from and until which it counts, for a stage its state; both are computed here from
entries alone. Teams that leave, releases and freezes are announced, and stored as well. Tallies, ratings and the rating
chain follow from the results (tallies.count_all). `differences` reports stored values that disagree, `rebuild`
writes them again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Model

from contest.ledger import hold
from contest.models import Contest, Kind, LedgerEntry, Team
from tournaments.models import EarlierSpan, Match, MatchSeat, Rating, Review, Stage, Tally
from tournaments.results import tallies
from tournaments.results.history import STAGE_KINDS, as_told
from tournaments.results.ratings import LINK

TeamState = Team.State
STATES: Mapping[str | None, tuple[str, ...]] = {
    None: (TeamState.APPROVED, TeamState.PENDING, TeamState.REFUSED, TeamState.WITHDRAWN),
    Kind.TEAM_DISQUALIFIED: (TeamState.DISQUALIFIED,),
    Kind.TEAM_WITHDRAWN: (TeamState.WITHDRAWN, TeamState.PENDING, TeamState.REFUSED),
    Kind.TEAM_REINSTATED: (TeamState.APPROVED,),
}
"""By the last entry about a team: the states in which it can be, the usual one first. The ledger does not tell of teams
that have never taken part, or that ask to come back."""

SETTINGS = ("resets", "last_round", "release", "released")
SETTING_KINDS = (
    Kind.STAGE_STARTED,
    Kind.STAGE_RESET,
    Kind.STAGE_SHORTENED,
    Kind.ROUND_RELEASED,
    Kind.ROUND_TAKEN_BACK,
    Kind.STAGE_RELEASED,
)

State = Stage.State
Numbers = tuple[int | None, int | None, int | None]
"""The numbers of a match: counts_from, resulted, counts_until."""
NEVER: Numbers = (None, None, None)
Span = tuple[int, int, int]
"""A match with an earlier counts_from and counts_until."""

TOLD = ("state", "started_at", "finished_at", "order", "left_out", "schools", *SETTINGS)
OF_MATCHES = ("counts_from", "resulted", "counts_until", "pending", "state")
PAGE = 500


def numbers(contest: Contest) -> tuple[dict[int, Numbers], set[Span]]:
    """The numbers of every match, from the entries, and the earlier spans of matches that were restored."""
    spans: set[Span] = set()
    found: dict[int, list[int | None]] = defaultdict(lambda: [None, None, None])
    counting: dict[int | None, set[int]] = defaultdict(set)  # by stage
    for entry in contest.ledger.order_by("number").iterator(2000):
        here = counting[entry.stage_id]
        if entry.kind == Kind.MATCH_RESULT:
            found[entry.match_id or 0][1] = entry.number
        gone = _gone(entry, here, lambda pk: found[pk][1] is not None)
        for pk in gone:
            found[pk][2] = entry.number
        here -= gone
        for pk in _coming(entry):
            start, _, end = found[pk]
            if start is not None and end is not None:
                spans.add((pk, start, end))
            found[pk][0], found[pk][2] = entry.number, None
            here.add(pk)
    return {match: (start, result, end) for match, (start, result, end) in found.items()}, spans


def _coming(entry: LedgerEntry) -> list[int]:
    """The matches that count from this entry on."""
    match entry.kind:
        case Kind.MATCHES_DRAWN:
            return list(entry.data["matches"])
        case Kind.REVIEW_APPLIED:
            return [new for _, new in entry.data["replaced"]]
        case Kind.MATCH_RESTORED:
            return [entry.match_id or 0]
    return []


def _gone(entry: LedgerEntry, here: set[int], has_result: Callable[[int], bool]) -> set[int]:
    """Those that count until this entry, of those that count `here`, in its stage."""
    match entry.kind:
        case Kind.MATCH_VOIDED:
            return {entry.match_id or 0}
        case Kind.REVIEW_APPLIED:
            return {old for old, _ in entry.data["replaced"]}
        case Kind.STAGE_RESET:
            return set(here)
        case Kind.STAGE_ABANDONED:
            return {pk for pk in here if not has_result(pk)}
        case Kind.STAGE_SHORTENED if entry.round is not None:  # a ladder has no rounds
            later = Match.objects.filter(stage=entry.stage_id, table__round__gt=entry.round)
            return here & set(later.values_list("pk", flat=True))
    return set()


def spans_of(contest: Contest) -> set[Span]:
    """As they are stored."""
    found = EarlierSpan.objects.filter(match__contest=contest)
    return set(found.values_list("match", "counts_from", "counts_until"))


def should_be(match: Match, numbers: Numbers) -> dict[str, Any]:
    """What is stored with a match with these numbers. The queue alone decides whether it waits or runs."""
    start, result, end = numbers
    is_dropped = start is None and match.review is not None and match.review.state != Review.State.OPEN
    if end is not None or is_dropped:
        state = Match.State.VOID
    elif result is not None:
        state = Match.State.DONE
    else:
        state = Match.State.RUNNING if match.state == Match.State.RUNNING else Match.State.QUEUED
    return dict(zip(OF_MATCHES, (start, result, end, start is None, state), strict=True))


def differences(contest: Contest) -> Iterator[str]:
    """Yield what is stored differently from what the ledger tells, as sentences. Leaves nothing changed."""
    contest = Contest.objects.get(pk=contest.pk)
    count = contest.ledger.count()
    if count != contest.last_number:
        yield f"the ledger has {count} entries, and its last number is {contest.last_number}"
    told, spans = numbers(contest)
    if (stored := spans_of(contest)) != spans:
        yield f"matches counted earlier in {sorted(stored)}, and should in {sorted(spans)}"
    for match in _matches(contest):
        yield from _wrong(match, should_be(match, told.get(match.pk, NEVER)))
    for stage, should in _stages(contest):
        yield from _wrong(stage, {name: should[name] for name in TOLD if stage.state != State.DRAFT or name == "state"})
    for team, states in team_states(contest).items():
        if team.state not in states:
            yield from _wrong(team, {"state": states[0]})
    yield from _wrong(contest, {"frozen_number": frozen_number(contest)})
    before = kept(contest)
    with transaction.atomic():
        tallies.count_all(contest)
        after = kept(contest)
        transaction.set_rollback(True)
    yield from (f"{name} is not what follows from the results" for name in before if before[name] != after[name])


def _wrong(row: Model, should: Mapping[str, Any]) -> Iterator[str]:
    for name, value in should.items():
        if getattr(row, name) != value:
            what = f"{row._meta.verbose_name} {row.pk}"
            yield f"{what}: {name} is {getattr(row, name)!r}, and should be {value!r}"


def rebuild(contest: Contest) -> None:
    """Write everything that follows from the ledger: the numbers of matches and stages, tallies, ratings."""
    with transaction.atomic():
        hold(contest.pk)
        told, spans = numbers(contest)
        EarlierSpan.objects.filter(match__contest=contest).delete()
        EarlierSpan.objects.bulk_create(
            EarlierSpan(match_id=match, counts_from=start, counts_until=end) for match, start, end in sorted(spans)
        )
        changed = []
        for match in _matches(contest):
            for name, value in should_be(match, told.get(match.pk, NEVER)).items():
                setattr(match, name, value)
            changed.append(match)
        Match.objects.bulk_update(changed, OF_MATCHES, batch_size=PAGE)
        for stage, should in _stages(contest):
            if should["state"] != State.DRAFT:
                Stage.objects.filter(pk=stage.pk).update(**should)
        for team, states in team_states(contest).items():
            if team.state not in states:
                Team.objects.filter(pk=team.pk).update(state=states[0])
        last = contest.ledger.order_by("-number").values_list("number", flat=True).first() or 0
        frozen = frozen_number(contest)
        Contest.objects.filter(pk=contest.pk).update(last_number=last, frozen_number=frozen)
    tallies.count_all(contest)


def _matches(contest: Contest) -> Iterator[Match]:
    return Match.objects.filter(contest=contest).select_related("review").order_by("pk").iterator(2000)


def _stages(contest: Contest) -> Iterator[tuple[Stage, dict[str, Any]]]:
    """Each stage as stored, with what the ledger tells of it."""
    told: dict[int | None, list[LedgerEntry]] = {}
    last = contest.ledger.order_by("-number").values_list("number", flat=True).first() or 0
    for entry in contest.ledger.filter(kind__in={*STAGE_KINDS, *SETTING_KINDS}).order_by("number"):
        told.setdefault(entry.stage_id, []).append(entry)
    for stage in contest.stages.order_by("pk"):
        stage.contest = contest
        entries = told.get(stage.pk, [])
        moved = as_told(stage, (entry for entry in entries if entry.kind in STAGE_KINDS), last)
        yield stage, {name: getattr(moved, name) for name in TOLD} | settings_told(stage, entries)


def kept(contest: Contest) -> dict[str, list[tuple[Any, ...]]]:
    """Everything computed from results, to the last bit."""
    seats = MatchSeat.objects.filter(match__contest=contest, team__isnull=False).order_by("pk")
    sums = Tally.objects.filter(stage__contest=contest).order_by("stage", "team")
    ends = Rating.objects.filter(contest=contest).order_by("team")
    return {
        "a rating before or after a match": list(seats.values_list("pk", *LINK)),
        "a tally": list(sums.values_list("stage", "team", *tallies.COUNTED)),
        "a rating": list(ends.values_list("team", "mu", "sigma", "matches", "submission")),
    }


# What the ledger tells of teams, releases and freezes, all of which is stored as well


def frozen_number(contest: Contest) -> int | None:
    """The entry with which the freeze began. None: the contest is not frozen."""
    last = contest.ledger.filter(kind__in=(Kind.FREEZE_SET, Kind.FREEZE_LIFTED)).order_by("-number").first()
    return last.number if last is not None and last.kind == Kind.FREEZE_SET else None


def team_states(contest: Contest) -> dict[Team, tuple[str, ...]]:
    """The states that fit the last entry about each team."""
    kinds = (Kind.TEAM_DISQUALIFIED, Kind.TEAM_WITHDRAWN, Kind.TEAM_REINSTATED)
    last = dict(contest.ledger.filter(kind__in=kinds).order_by("number").values_list("team", "kind"))
    return {team: STATES[last.get(team.pk)] for team in contest.teams.order_by("pk")}


def settings_told(stage: Stage, entries: Iterable[LedgerEntry]) -> dict[str, Any]:
    """The settings of a stage that these entries, in order, have changed. Others can be edited until it starts."""
    told: dict[str, Any] = {"resets": 0, "last_round": None, "release": stage.release, "released": 0}
    has_started = False
    for entry in entries:
        match entry.kind:
            case Kind.STAGE_STARTED:
                has_started = True
                told["released"] = entry.data.get("released", 0)
            case Kind.STAGE_RESET:
                has_started = False
                told |= {"resets": told["resets"] + 1, "last_round": None, "release": stage.release, "released": 0}
            case Kind.STAGE_SHORTENED:
                told["last_round"] = entry.round
            case Kind.ROUND_RELEASED | Kind.ROUND_TAKEN_BACK:
                told |= {"release": Stage.Release.ROUNDS, "released": entry.round}
            case Kind.STAGE_RELEASED if has_started:
                told["release"] = Stage.Release.LIVE
    return told
