"""What teams are told unasked: that a stage has ended, and where they came; that a round is near, has another start or
has started without them; that they are out, or back; that a result of theirs no longer counts.

It follows the ledger (contest/followers.py) and writes notices, which the page of questions shows and
contest/mailing.py sends. Nothing is told before everybody may know it: a stage that is finished in a freeze, or whose
last round is not released, is told of when that ends, with the ranking that everybody sees. So are voided matches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from contest import questions
from contest.followers import Reaction
from contest.formatting import ordinal
from contest.ledger import Held, hold
from contest.models import Contest, Kind, LedgerEntry, Membership, Question
from contest.questions import Notice
from contest.zones import official_zone
from tournaments import kinds
from tournaments.kinds.planned import stage_view
from tournaments.kinds.timetable import ended_at
from tournaments.models import MatchSeat, Round, Stage
from tournaments.models.matches import reason_of
from tournaments.models.stages import hold_stage
from tournaments.organising import admission
from tournaments.organising.timetable import count_of, name_of, rounds_of
from tournaments.results import visibility
from tournaments.results.visibility import Sight

SOON = timedelta(minutes=10)
OLD = timedelta(days=2)  # nobody is told of what came out before: the portal has stood still
VOIDING = (Kind.MATCH_VOIDED, Kind.STAGE_RESET)  # reviews are told by the matches played again (played.py)
ENDING = (Kind.STAGE_FINISHED, Kind.STAGE_ABANDONED)
RELEASING = (Kind.ROUND_RELEASED, Kind.STAGE_RELEASED)
ABOUT_A_TEAM = {
    Kind.TEAM_DISQUALIFIED: "The organisers have disqualified your team",
    Kind.TEAM_WITHDRAWN: "The organisers have withdrawn your team",
    Kind.TEAM_REINSTATED: "Your team takes part again",
}


def _tell(entries: Sequence[LedgerEntry]) -> None:
    for entry in entries:
        if entry.at < timezone.now() - OLD:
            continue
        with transaction.atomic():
            held = hold(entry.contest_id)
            if entry.kind in ABOUT_A_TEAM:
                _tell_team(held, entry)
            elif entry.kind == Kind.ROUND_MOVED:
                _tell_moved(held, entry)
            elif entry.kind == Kind.STAGE_STARTED:
                _tell_left_out(held, entry)
            else:
                for known in _made_known(entry):
                    (_tell_void if known.kind in VOIDING else _tell_end)(held, known)


def _tell_team(held: Held, entry: LedgerEntry) -> None:
    own = Membership.objects.filter(team=entry.team_id, user=entry.by_id).exists()
    if entry.team_id is not None and not own:  # members know what they have done themselves
        reason = f"The reason: {entry.reason}" if entry.reason else "They have given no reason."
        questions.notify(held, entry, [Notice(entry.team_id, ABOUT_A_TEAM[Kind(entry.kind)], reason)])


def _tell_moved(held: Held, entry: LedgerEntry) -> None:
    stage, sight = _as_seen(held.pk, entry.stage_id)
    if stage is None or stage.has_ended:
        return
    text = f"{entry.reason}\n\n[The timetable]({settings.PORTAL_URL}{stage.get_absolute_url()})"
    view = stage_view(stage, sight)
    there = view.players_of(entry.round or 1) if view.is_bracket else stage.order
    playing = stage.contest.teams.competing().filter(pk__in=there).order_by("pk")
    questions.notify(held, entry, [Notice(team.pk, f"{stage}: the start has moved", text) for team in playing])


def _as_seen(contest: int, stage: int | None) -> tuple[Stage | None, Sight]:
    """A stage as everybody sees it, and what they see."""
    sight = visibility.public(Contest.objects.get(pk=contest))
    return next((each for each in sight.stages if each.pk == stage), None), sight


def _tell_left_out(held: Held, entry: LedgerEntry) -> None:
    stage, _ = _as_seen(held.pk, entry.stage_id)
    if stage is None:
        return
    page = f"[{stage}]({settings.PORTAL_URL}{stage.get_absolute_url()})"
    notices = [
        Notice(team.pk, f"{stage} has started without your team", f"The reason: {why}.\n\n{page}")
        for why, teams in admission.why_left_out(stage, stage.left_out).items()
        for team in teams
        if team.is_competing
    ]
    questions.notify(held, entry, notices)


def remind(now: datetime) -> None:
    """Tell teams, once, that a round of theirs starts within ten minutes. For the tick."""
    for stage in Stage.objects.filter(
        ~Q(pk__in=Round.objects.filter(number=1).values("stage")),
        state=Stage.State.PUBLISHED, starts_at__gt=now, starts_at__lte=now + SOON,
    ):  # fmt: skip
        if kinds.of(stage).has_plan:
            Round.objects.get_or_create(stage=stage, number=1, defaults={"release": rounds_of(stage, 1)[0].release})
    near = Q(starts_at__gt=now, starts_at__lte=now + SOON) | Q(number__gt=1, starts_at=None, break_minutes__gt=0)
    first = Q(number=1, stage__starts_at__gt=now, stage__starts_at__lte=now + SOON, stage__state=Stage.State.PUBLISHED)
    near &= Q(stage__state=Stage.State.RUNNING)
    found = Round.objects.filter(near | first, hold=False, started_at=None).select_related("stage")
    for row in found.order_by("pk"):
        if (at := _start_of(row)) is None or not now < at <= now + SOON or row.reminded_of == at:
            continue
        with transaction.atomic():
            held, stage = hold_stage(row.stage)
            row = Round.objects.select_related("stage").get(pk=row.pk)
            if row.reminded_of == at or row.hold or row.started_at is not None or _start_of(row) != at:
                continue
            row.reminded_of = at
            row.save(update_fields=["reminded_of"])
            questions.notify(held, None, _reminders(held, stage, row, at))


def _start_of(row: Round) -> datetime | None:
    """When a round is to start, as everybody may know."""
    if row.number == 1 or row.starts_at is not None:
        return row.starts_at if row.stage.has_started else row.stage.starts_at
    stage, sight = _as_seen(row.stage.contest_id, row.stage_id)
    if stage is None:
        return None
    view = stage_view(stage, sight)
    return row.due_at(ended_at(row.stage, view.plan, row.number - 1, view.open))


def _reminders(held: Held, stage: Stage, row: Round, at: datetime) -> list[Notice]:
    """For the teams of which everybody knows that they play in this round; for all, where that is not known yet. Before
    the first round, those that cannot play are told so."""
    known, sight = _as_seen(held.pk, stage.pk)
    if known is None or known.pk in sight.concealed:
        return []
    view = stage_view(known, sight)
    plan, seated = view.plan, view.players_of(row.number)
    if len(plan.rounds) < row.number <= (count_of(plan) or row.number):  # not drawn yet
        seated = {team.pk for team in held.teams.competing().filter(pk__in=known.order)}
    missing: set[int] = set()
    if not stage.has_started and not stage.is_led:
        order = admission.current_order(stage)
        able = admission.ready(stage, order)
        missing = set(order) - set(able)
        seated = {team for team in able if team in seated or team not in known.order}
    if row.number == 1 and not stage.has_started:
        at = rounds_of(known, 1, sight.n, plan)[0].starts_at or at
    local = f"{at.astimezone(official_zone(held.time_zone)):%H:%M %Z}"
    page = f"[{stage}]({settings.PORTAL_URL}{stage.get_absolute_url()})"
    text = f"{name_of(stage, row.number, plan)} of {stage}: start at {local}"
    notices = [Notice(team, text, page) for team in sorted(seated)]
    for why, teams in admission.why_left_out(stage, sorted(missing)).items():
        out = f"{text}. As it stands, your team is left out: {why}.\n\n{page}"
        notices += [Notice(team.pk, f"Your team is not ready for {stage}", out) for team in teams]
    return notices


def _made_known(entry: LedgerEntry) -> Iterator[LedgerEntry]:
    """Entries about void matches and ended stages which everybody may know now, unless something else hides them."""
    ledger = LedgerEntry.objects.filter(contest=entry.contest_id)
    found = ledger.filter(kind__in=(*VOIDING, *ENDING), number__lte=entry.number).order_by("number")
    if entry.kind == Kind.FREEZE_LIFTED:
        since = ledger.filter(kind=Kind.FREEZE_SET, number__lt=entry.number).order_by("number").last()
        yield from found.filter(number__gt=since.number) if since else ()
    elif entry.kind in RELEASING and entry.stage_id is not None:
        yield from found.filter(stage__in=_hidden_with(entry.contest_id, entry.stage_id))
    else:
        yield entry


def _hidden_with(contest_id: int, stage_id: int) -> set[int]:
    """A stage, and those whose entrants or their order may follow from it."""
    others = Stage.objects.filter(contest=contest_id).order_by("pk").values_list("pk", "source", "seeding")
    found = {stage_id}
    for pk, source, seeding in others:  # a source is older than what it leads to
        if source in found or seeding == Stage.Seeding.STANDINGS:
            found.add(pk)
    return found


def _tell_void(held: Held, entry: LedgerEntry) -> None:
    """Tell teams of results that everybody knew, unless their matches have been played again since."""
    _, sight = _as_seen(held.pk, entry.stage_id)
    again = Exists(sight.done().filter(table=OuterRef("table"), number=OuterRef("number")))
    void = sight.matches().filter(~again, counts_until=entry.number).void_by(sight.n).with_result(sight.n)
    if (match := void.select_related("stage__contest", "table").first()) is None:
        return
    stage = match.stage  # of all of them
    title, page = (match.title, match) if entry.match_id else (f"{stage}: what your team has played", stage)
    text = f"{reason_of(entry, match)}\n\n[{title}]({settings.PORTAL_URL}{page.get_absolute_url()})"
    seats = MatchSeat.objects.filter(match__in=void.order_by().values("pk"), team__isnull=False)
    teams = seats.order_by("team").values_list("team", flat=True).distinct()
    questions.notify(held, entry, [Notice(team, f"{title} no longer counts", text) for team in teams])


def _tell_end(held: Held, ended: LedgerEntry) -> None:
    """By what everybody sees now. If the stage goes on again, or has ended once more since, a later entry tells."""
    stage, sight = _as_seen(held.pk, ended.stage_id)
    if stage is None or not stage.has_ended or stage.pk in sight.concealed:
        return
    ends = held.ledger.filter(kind__in=ENDING, stage=stage.pk).order_by("number")
    if (ends if sight.n is None else ends.filter(number__lte=sight.n)).last() != ended:
        return
    address = f"{settings.PORTAL_URL}{stage.get_absolute_url()}"
    if stage.state == Stage.State.ABANDONED:
        subject, text = f"{stage} ended without a winner", f"{ended.reason}\n\n[What was played]({address})"
        teams = stage.contest.teams.competing().filter(pk__in=stage.order).order_by("pk")
        questions.notify(held, ended, [Notice(team.pk, subject, text) for team in teams])
        return
    ranks = {line["team_id"]: line["rank"] for line in kinds.of(stage).export(stage, sight) if line["rank"]}
    shared = list(ranks.values())
    earlier = _told_before(ended)
    notices = []
    for team, rank in ranks.items():
        subject, text = f"{stage} is finished", _came(rank, shared.count(rank) > 1, len(ranks))
        if team in earlier:
            subject, text = f"{stage}: the result has changed", f"{_since(earlier[team], text)} {text}"
        notices.append(Notice(team, subject, f"{text}\n\n[The whole ranking]({address})"))
    questions.notify(held, ended, notices)


def _told_before(finished: LedgerEntry) -> dict[int, str]:
    """What teams were told last when this stage was finished before, by team."""
    before = LedgerEntry.objects.filter(
        kind=Kind.STAGE_FINISHED, stage=finished.stage_id, contest=finished.contest_id, number__lt=finished.number
    )
    told = Question.objects.filter(entry__in=before, team__isnull=False).order_by("entry__number")
    return dict(told.values_list("team", "answer"))


def _since(earlier: str, now: str) -> str:
    if now in earlier:
        return "The result of this stage has changed, but your team’s place has not."
    return "The result of this stage has changed since our last message."


def _came(rank: int, is_shared: bool, count: int) -> str:
    if is_shared:
        return f"Your team shares {ordinal(rank)} place among {count} teams."
    return f"Your team came {ordinal(rank)} of {count} teams."


CONCERNED = frozenset(
    {*ABOUT_A_TEAM, *VOIDING, *ENDING, *RELEASING, Kind.ROUND_MOVED, Kind.STAGE_STARTED, Kind.FREEZE_LIFTED}
)
NEWS = Reaction("news", CONCERNED, _tell, woken_by=CONCERNED)
