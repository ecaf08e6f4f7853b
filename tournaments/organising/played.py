"""Tell teams that their matches were played, once each, as soon as everybody may know the results.

It follows the ledger (contest/followers.py). Results leave rows that name match and team, so an entry that is read
twice tells nothing twice. What may be told is what the public's `Sight` shows: results behind a freeze or in a round
that is not released wait for the entry that makes them known.

A team hears of a round when all its matches there are over, or half an hour after the first of them. Rounds that follow
each other quickly become one message. All of them come before the news that the stage is finished. Ladders play all the
time, so their teams hear of them once a day.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Max, QuerySet
from django.urls import reverse
from django.utils import timezone

from contest import questions
from contest.followers import Reaction
from contest.formatting import ordinal
from contest.ledger import Held, hold
from contest.models import Audience, Contest, Kind, LedgerEntry, Membership, Team
from contest.questions import Notice
from games.phrases import counted
from tournaments import kinds
from tournaments.kinds import secrecy
from tournaments.models import LadderTold, Match, MatchSeat, Played
from tournaments.organising.news import OLD, RELEASING
from tournaments.results.standings import Totals, records_of, skills_of
from tournaments.results.visibility import Sight, public

LONGEST = timedelta(minutes=30)  # after which a team hears of a match although its round goes on
PAUSE = timedelta(minutes=10)  # between two messages about the same stage, however fast rounds follow each other
LADDER_EVERY = timedelta(days=1)
KEPT = timedelta(days=14)

REVEALING = (*RELEASING, Kind.FREEZE_LIFTED, Kind.MATCH_RESTORED, Kind.REVIEW_APPLIED, Kind.STAGE_FINISHED)
Group = tuple[int, int, int]
"""Team, stage, round."""


def _react(entries: Sequence[LedgerEntry]) -> None:
    now = timezone.now()
    fresh = [entry for entry in entries if entry.at >= now - OLD]
    _note(fresh, now)
    for contest_id in {entry.contest_id for entry in fresh}:
        if any(entry.contest_id == contest_id and entry.kind in REVEALING for entry in fresh):
            _look_again(contest_id, now)
        tell(contest_id, now)


def _look_again(contest_id: int, now: datetime) -> None:
    """More may be known now."""
    Played.objects.filter(match__contest=contest_id, told_at=None).update(due_at=now)
    for stage, team in LadderTold.objects.filter(stage__contest=contest_id, due_at=None).values_list("stage", "team"):
        _note_ladder(stage, [team], now)


# Noting ---------------------------------------------------------------------------------------------------------------


def _note(entries: Iterable[LedgerEntry], now: datetime) -> None:
    """Write down whom these entries concern. Teams without members hear nothing."""
    chosen = {pk for entry in entries for pk in _matches_of(entry)}
    if not chosen:
        return
    seats = MatchSeat.objects.filter(match__in=chosen, team__memberships__isnull=False).distinct()
    rows = list(seats.select_related("match__stage").order_by("match_id", "index"))
    ladders = {row.match.stage_id for row in rows if not kinds.of(row.match.stage).has_plan}
    Played.objects.bulk_create(
        (
            Played(match_id=row.match_id, team_id=row.team_id, noted_at=now, due_at=now)
            for row in rows
            if row.match.stage_id not in ladders and row.team_id is not None
        ),
        ignore_conflicts=True,
    )
    for stage in ladders:
        _note_ladder(stage, {row.team_id for row in rows if row.match.stage_id == stage and row.team_id}, now)


def _matches_of(entry: LedgerEntry) -> list[int]:
    if entry.kind == Kind.REVIEW_APPLIED:
        return [new for _, new in entry.data.get("replaced", ())]
    is_result = entry.kind == Kind.MATCH_RESULT and entry.audience != Audience.ORGANISERS
    return [entry.match_id] if is_result and entry.match_id is not None else []


def _note_ladder(stage: int, teams: Collection[int], now: datetime) -> None:
    rows = [LadderTold(stage_id=stage, team_id=team) for team in sorted(teams)]
    LadderTold.objects.bulk_create(rows, ignore_conflicts=True)
    idle = LadderTold.objects.filter(stage=stage, team__in=teams, due_at=None)
    idle.filter(told_at=None).update(due_at=now)
    for row in idle.exclude(told_at=None):
        LadderTold.objects.filter(pk=row.pk).update(due_at=max(now, (row.told_at or now) + LADDER_EVERY))


# Telling --------------------------------------------------------------------------------------------------------------


def tell_due(now: datetime) -> None:
    """For the tick: whatever has waited long enough."""
    waiting = set(Played.objects.filter(told_at=None, due_at__lte=now).values_list("match__contest", flat=True))
    waiting |= set(LadderTold.objects.filter(due_at__lte=now).values_list("stage__contest", flat=True))
    for contest_id in sorted(waiting):
        tell(contest_id, now)


def prune(now: datetime) -> None:
    """Nothing older is told, and no entry of that age is read again."""
    Played.objects.filter(noted_at__lt=now - KEPT, told_at__isnull=False).delete()


def tell(contest_id: int, now: datetime) -> int:
    """Tell the teams of a contest what they may know by now. Returns how many notices that makes."""
    due = Played.objects.filter(match__contest=contest_id, told_at=None, due_at__lte=now)
    ladders = LadderTold.objects.filter(stage__contest=contest_id, due_at__lte=now)
    if not due.exists() and not ladders.exists():
        return 0
    with transaction.atomic():
        held = hold(contest_id)
        sight = public(Contest.objects.get(pk=contest_id))
        waiting = Played.objects.filter(match__contest=contest_id, told_at=None, due_at__isnull=False)
        rows = waiting.filter(team__in=due.order_by().values("team"))  # with what waited for this
        rows = rows.select_related("match__stage", "match__table", "team").order_by("match_id", "team_id")
        count = _tell_rounds(held, sight, list(rows), now)
        found = ladders.select_related("stage", "team").order_by("team_id", "stage_id")
        return count + _tell_ladders(held, sight, list(found), now)


def _tell_rounds(held: Held, sight: Sight, rows: Sequence[Played], now: datetime) -> int:
    known = set(sight.done().filter(pk__in={row.match_id for row in rows}).values_list("pk", flat=True))
    hidden = [row.pk for row in rows if row.match_id not in known]
    Played.objects.filter(pk__in=hidden).update(due_at=None)
    groups: dict[Group, list[Played]] = defaultdict(list)
    for row in rows:
        if row.match_id in known:
            groups[row.team_id, row.match.stage_id, row.match.table.round].append(row)
    going_on = _going_on(sight, groups) if groups else set()
    over = {stage.pk for stage in sight.stages if stage.has_ended}
    lately = _told_lately(groups, now)
    ready: dict[tuple[int, int], list[Played]] = defaultdict(list)
    for group, of_round in groups.items():
        team, stage, _ = group
        until = min(row.noted_at for row in of_round) + LONGEST if group in going_on else now
        if stage not in over:
            until = max(until, lately.get((team, stage), now))
        if now < until:
            Played.objects.filter(pk__in=[row.pk for row in of_round]).update(due_at=until)
        else:
            ready[team, stage] += of_round
    return sum(_tell_matches(held, sight, found, now) for found in ready.values())


def _told_lately(groups: Collection[Group], now: datetime) -> dict[tuple[int, int], datetime]:
    """By team and stage: before which time another notice would be one too many."""
    told = Played.objects.filter(told_at__gt=now - PAUSE, team__in={team for team, _, _ in groups})
    last = told.order_by().values_list("team", "match__stage").annotate(last=Max("told_at"))
    return {(team, stage): at + PAUSE for team, stage, at in last}


def _going_on(sight: Sight, groups: Collection[Group]) -> set[Group]:
    """The rounds in which a team has matches to come, as far as everybody knows. A query for each stage."""
    stages, found = {stage for _, stage, _ in groups}, set()
    for stage in sight.stages:
        if stage.pk not in stages or stage.has_ended:
            continue
        done = sight.done(stage).order_by().values("pk")
        open_ = sight.known(stage).exclude(pk__in=done).order_by().values("pk")
        seats = MatchSeat.objects.filter(match__in=open_, team__in={team for team, of, _ in groups if of == stage.pk})
        pairs = seats.order_by().values_list("team", "match__table__round").distinct()
        found |= {(team or 0, stage.pk, number) for team, number in pairs}
    return found


def _tell_matches(held: Held, sight: Sight, rows: Sequence[Played], now: datetime) -> int:
    """One notice for these matches of a team in a stage."""
    pks = [row.pk for row in rows]
    if not Played.objects.filter(pk__in=pks, told_at=None).update(told_at=now, due_at=None):
        return 0
    matches = sight.as_known(
        Match.objects.filter(pk__in=[row.match_id for row in rows])
        .select_related("stage", "table", "contest")
        .prefetch_related("seats__team", "seats__submission")
        .order_by("pk")
    )
    tables = [match.table_id for match in matches]
    told = Played.objects.filter(team=rows[0].team_id, told_at__isnull=False, match__table__in=tables)
    before = set(told.exclude(pk__in=pks).values_list("match__table", "match__number"))
    again = {match.pk for match in matches if (match.table_id, match.number) in before}
    subject, text = of_matches(rows[0].team, matches, again, sight)
    return questions.notify(held, _entry_of(matches[-1]), [Notice(rows[0].team_id, subject, text)])


def _entry_of(match: Match) -> LedgerEntry | None:
    """The result that a notice is about."""
    results = LedgerEntry.objects.filter(match=match, kind=Kind.MATCH_RESULT)
    return results.order_by("-number").first()


def _tell_ladders(held: Held, sight: Sight, rows: Sequence[LadderTold], now: datetime) -> int:
    skills = skills_of(sight) if rows else {}
    count = 0
    for row in rows:
        since = sight.done().filter(stage=row.stage_id, resulted__gt=row.number, seats__team=row.team_id)
        last = since.order_by("-resulted").first()
        if last is None:  # all of it is hidden: the next result, or its release, looks again
            LadderTold.objects.filter(pk=row.pk).update(due_at=None)
            continue
        own = MatchSeat.objects.filter(match__in=since.order_by().values("pk"), team=row.team_id)
        skill = skills.get(row.team_id)
        subject, text = of_ladder(row, own, skill.mu if skill else None, sight)
        count += questions.notify(held, _entry_of(last), [Notice(row.team_id, subject, text)])
        told = {"number": last.resulted, "told_at": now, "rating": skill.mu if skill else None, "due_at": None}
        LadderTold.objects.filter(pk=row.pk).update(**told)
    return count


CONCERNED = frozenset({Kind.MATCH_RESULT, *REVEALING})
PLAYED = Reaction(
    "played", CONCERNED, _react, frozenset(REVEALING), lambda pk: Membership.objects.filter(contest=pk).exists()
)
"""Results alone wake nobody: the tick comes within seconds, and bundles what was played meanwhile."""


MOST = 12  # matches that a notice lists


def of_matches(team: Team, matches: Sequence[Match], again: Collection[int], sight: Sight) -> tuple[str, str]:
    """Subject and text (Markdown) about matches of a stage."""
    first = matches[0]
    is_again = bool(again) and len(again) == len(matches)
    once_more = " again" if is_again else ""
    if first.contest.game.sample:
        subject = f"{first.stage.name}: your bot was judged{once_more}"
    elif len(matches) == 1:
        subject = f"{first.title} was played{once_more}"
    else:
        subject = f"{first.stage.name}: {len(matches)} of your matches were played{once_more}"
    lines = [_line(team, match, match.pk in again and not is_again, sight) for match in matches[:MOST]]
    if len(matches) > MOST:
        page = f"{reverse('matches', args=[first.contest.slug])}?team={team.pk}"
        lines.append(f"- [and {len(matches) - MOST} more]({settings.PORTAL_URL}{page})")
    return subject, "\n".join(lines)


def _line(team: Team, match: Match, again: bool, sight: Sight) -> str:
    seats = sorted(match.seats.all(), key=lambda seat: (seat.place or 99, seat.index))
    link = f"[{_escaped(match.title)}]({settings.PORTAL_URL}{match.get_absolute_url()})"
    more = " (played again)" if again else ""
    if secrecy.hides_games_of(match, sight) or match.contest.game.sample:
        return f"- {link}{more}: the verdict is on its page."
    mine = next(seat for seat in seats if seat.team_id == team.pk)
    all_told = ", ".join(f"{_escaped(f'{seat.name}')} {seat.counted:,.12g}" for seat in seats)
    return f"- {link}{more}: {_sentence(team, match, sight) or _came(mine)} ({all_told})"


def _came(mine: MatchSeat) -> str:
    if mine.disqualified:
        return "The referee disqualified your bot."
    shared = sum(seat.place == mine.place for seat in mine.match.contenders) > 1
    if len(mine.match.contenders) == 2:
        return "A tie." if shared else "You won." if mine.rank == 1 else "You lost."
    return f"You {'share' if shared else 'came'} {ordinal(mine.rank or 0)}{' place' if shared else ''}."


def _sentence(team: Team, match: Match, sight: Sight) -> str:
    """What it means for the team: that it advances, for example."""
    stage = next((stage for stage in sight.stages if stage.pk == match.stage_id), None)
    if stage is None:
        return ""
    match.stage = stage
    told = next((told for seat, told in kinds.of(stage).seats_told(match, sight) if seat.team_id == team.pk), None)
    return _escaped(told.sentence) if told is not None else ""


def of_ladder(row: LadderTold, seats: QuerySet[MatchSeat], rating: float | None, sight: Sight) -> tuple[str, str]:
    """Subject and text about what a team has played in a ladder since it was told last."""
    record = records_of(seats, sight.contest.game).get(row.team_id, Totals())
    played, firsts = counted(record.matches, "match"), record.won + record.tied
    subject = f"{row.stage.name}: {played} {'since our last message' if row.told_at else 'so far'}"
    page = f"{settings.PORTAL_URL}{reverse('team', args=[sight.contest.slug, row.team_id])}"
    text = [f"Your team played [{played}]({page}){f' and came first in {firsts:,}' if firsts else ''}."]
    if record.faults:
        text.append(f"Your bot made {counted(record.faults, 'fault')}.")
    if rating is not None:
        text.append(f"Your rating is {rating:,.1f}" + (f"; it was {row.rating:,.1f}." if row.rating else "."))
    return subject, " ".join(text)


def _escaped(text: str) -> str:
    """A name as Markdown that shows it as it is."""
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]()<>#+-.!|~" else letter for letter in text)
