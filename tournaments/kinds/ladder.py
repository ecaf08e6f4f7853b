"""The ladder: continuous matches between available teams, until the stage ends.

`reconcile` looks at who is free and makes the next matches. The tick calls it every ten seconds, and so does whoever
has just finished a match. It makes only enough matches to keep the workers busy for a moment, so that pairings use the
newest ratings. Matches with a connected team are not counted: the contest server starts them at once. A team has at
most one open match.

The Barracuda rules ("Contest Structure") ask for this: available teams are matched continuously. In the last hour
(`final_minutes`) all participating teams are matched, whether available or not. At the end the scheduler stops, open
matches are finished, and the standings seed the next stage. A team takes part once it has a bot that can play or has
been connected. A team without a program is never matched: its certain losses would only cost others their time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, cast

from django.db.models import Count, OuterRef, Q, Subquery
from django.utils import timezone

from contest import ledger
from contest.ledger import Fact, Held
from contest.models import Act, Audience, Kind, Phase, Team
from contest.refusal import Refused
from submissions.models import Submission
from tournaments.formats import ladder
from tournaments.formats.ladder import Free
from tournaments.formats.plan import FormatError, TeamId, WantedMatch
from tournaments.kinds import exported, schedule
from tournaments.kinds.consequences import Imagined, StageImpact
from tournaments.kinds.expected import Expected, Times
from tournaments.kinds.plans import Restored, with_names
from tournaments.kinds.schedule import Changes
from tournaments.kinds.scores import Usual
from tournaments.kinds.statuses import departures
from tournaments.models import Client, Match, MatchSeat, Rating, Stage, Table
from tournaments.models.matches import MatchQuerySet
from tournaments.results import ratings, standings
from tournaments.results.standings import StageRow
from tournaments.results.visibility import Sight, everything
from tournaments.seating import draw, short

RESETTABLE = {"final_minutes", "pause"}  # options that may change during play
QUEUED = 4  # the fewest matches to keep waiting for workers; more if they are short, or more are in progress
PATIENCE = timedelta(seconds=30)  # how long a team waits for opponents that it did not meet last
OPEN = (Match.State.QUEUED, Match.State.RUNNING)
DEMO_PAUSE = timedelta(minutes=1)  # between two matches of the demo's ladder, which never ends
NEVER = datetime.min.replace(tzinfo=UTC)


# Time -----------------------------------------------------------------------------------------------------------------


def is_final(stage: Stage, now: datetime) -> bool:
    """Whether it is the time before the end in which every participating team is matched, available or not."""
    return stage.ends_at is not None and now >= stage.ends_at - timedelta(minutes=stage.options["final_minutes"])


def is_over(stage: Stage, now: datetime) -> bool:
    """Whether no further matches are made."""
    return (stage.ends_at is not None and now >= stage.ends_at) or stage.contest.phase(now) == Phase.ENDED


# The next matches -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Proposal:
    """What to do, read before anything is locked. `reconcile` looks again at what may have changed since.

    `left`: whether a team with an open match no longer takes part. `late`: teams to let in. `tables`: for teams that
    are free, each with the chooser first. `number`: of the next match.
    """

    left: bool = False
    late: Sequence[TeamId] = ()
    tables: Sequence[tuple[Free, ...]] = ()
    number: int = 0


def propose(stage: Stage, now: datetime | None = None) -> Proposal:
    """Choose the next matches. It reads about every team, so do it before you hold the contest."""
    now = now or timezone.now()
    left = leavers(stage).exists()
    if stage.state != Stage.State.RUNNING or is_over(stage, now):
        return Proposal(left)
    number = _next_number(stage)
    competing = Team.objects.competing().filter(contest=stage.contest_id)
    entered, there = set(competing.values_list("pk", flat=True)), set(stage.order)
    late = sorted(entered - there) if stage.entry == Stage.Entry.ALL else []
    room = _room(stage, now)
    if not room and not _may_play_live(stage, now):
        return Proposal(left, late)
    free, busy = _who(stage, now, entered & there.union(late))
    terms = ladder.Terms(stage.options["table_size"], room, busy, late=now - PATIENCE)
    return Proposal(left, late, ladder.tables(free, terms, Random(f"{stage.chance}/{number}")), number)


def reconcile(held: Held, stage: Stage, proposal: Proposal, now: datetime | None = None) -> Changes:
    """Make the matches of the proposal that can still be played, or finish the stage. Call it in a transaction that
    holds the contest and the stage (following.reconcile)."""
    now = now or timezone.now()
    if stage.state != Stage.State.RUNNING:
        return Changes()
    if is_over(stage, now):
        return Changes(finished=_finish(held, stage, now))
    if proposal.late:
        _let_in(held, stage, proposal.late)
    if not proposal.tables:
        return Changes()
    table = Table.objects.get_or_create(stage=stage, round=1, number=1, defaults={"name": "Ladder"})[0]
    teams = {one.team for players in proposal.tables for one in players}
    drawn = MatchSeat.objects.filter(match__table=table, match__number__gte=proposal.number, team__isnull=False)
    free = Team.objects.competing().filter(pk__in=teams).exclude(pk__in=drawn.values("team"))
    names = dict(free.values_list("pk", "name"))
    versions, connected = draw.active_versions(teams), draw.connected_teams(stage.contest)
    able = {team for team in names if team in versions or team in connected}

    due = _room(stage, now) > 0  # nobody else has made some
    tables = [players for players in proposal.tables if due or any(one.live for one in players)]
    made = [players for players in tables if all(it.team in (able if it.here else names) for it in players)]
    if not made:
        return Changes()
    size = stage.options["table_size"]
    wanted = [
        (table, WantedMatch(at, tuple(one.team for one in players), size, _why(players, names)))
        for at, players in enumerate(made, start=_next_number(stage))
    ]
    return Changes(created=len(draw.matches(held, stage, wanted, lambda _: versions)))


def _next_number(stage: Stage) -> int:
    made_before = stage.matches.filter(pending=False, replay_of=None).order_by("-pk")
    return (made_before.values_list("number", flat=True).first() or 0) + 1


def leavers(stage: Stage) -> MatchQuerySet:
    """Open matches of teams that no longer take part."""
    seats = MatchSeat.objects.filter(match__in=_open(stage), team__isnull=False)
    gone = seats.exclude(team__in=Team.objects.competing().filter(contest=stage.contest_id))
    return Match.objects.filter(pk__in=gone.values("match")).order_by("pk")


def _let_in(held: Held, stage: Stage, late: Sequence[TeamId]) -> None:
    """Add new entrants, even while the ladder goes on."""
    there = set(stage.order)
    if late := [team for team in late if team not in there]:
        stage.order = [*stage.order, *late]
        stage.save(update_fields=["order"])
        ledger.write(held, Fact(Kind.ENTRANTS_SET, stage.pk, data=stage.entrants_told, audience=Audience.EVERYONE))


def _finish(held: Held, stage: Stage, now: datetime) -> bool:
    """Finish the stage once its last match is over."""
    if _open(stage).exists():
        return False
    stage.state, stage.finished_at = Stage.State.DONE, now
    stage.save(update_fields=["state", "finished_at"])
    ledger.write(held, Fact(Kind.STAGE_FINISHED, stage.pk, withheld=stage.is_unreleased, at=now))
    Act.record(held, None, "finish stage", stage, "The ladder's time was over.", stage=stage.pk)
    return True


def _room(stage: Stage, now: datetime) -> int:
    """How many matches for workers may be made now; 0 while enough are waiting."""
    if stage.contest.endless:
        latest = stage.matches.filter(pending=False).order_by("-pk").values_list("state", "created_at").first()
        return int(latest is None or (latest[0] not in OPEN and latest[1] <= now - DEMO_PAUSE))
    counted = _open(stage).for_workers().values_list("state").annotate(Count("pk"), Count("worker", distinct=True))
    counts = {state: (count, workers) for state, count, workers in counted}
    (running, workers), (waiting, _) = (
        counts.get(state, (0, 0)) for state in (Match.State.RUNNING, Match.State.QUEUED)
    )
    few = min(max(QUEUED, workers) * short.at_once(stage.pk), len(stage.order) // (2 * stage.options["table_size"]))
    most = max(QUEUED, few, running)  # half of the teams at most need wait in matches that nobody plays yet
    return most - waiting if 2 * waiting <= most else 0


def _open(stage: Stage, *states: str) -> MatchQuerySet:
    """The matches without a result, in these states if given. Uses the index by stage and state."""
    return Match.objects.filter(stage=stage, state__in=states or OPEN, pending=False).order_by()


# Who is free ----------------------------------------------------------------------------------------------------------


def _may_play_live(stage: Stage, now: datetime) -> bool:
    """Whether a match may be made that needs no worker."""
    return bool(draw.connected_teams(stage.contest) or _absent(stage, now))


def _who(stage: Stage, now: datetime, entered: set[TeamId]) -> tuple[list[Free], int]:
    """Those of these teams that are free, and how many of them are playing on the ladder."""
    playing = _playing(stage)
    connected = draw.connected_teams(stage.contest)
    armed = set(Submission.objects.active().filter(team__contest=stage.contest_id).values_list("team", flat=True))
    there = armed | connected
    absent = _absent(stage, now) - there
    skills = dict(Rating.objects.filter(contest=stage.contest_id).order_by().values_list("team", "mu"))
    start = ratings.system(stage.contest.game).start.mu
    last = _last_matches(stage)
    rested = now - timedelta(seconds=stage.options["pause"])
    free = []
    for team in sorted(entered & (there | absent) - playing):
        since, met = last.get(team, (NEVER, frozenset()))
        if since <= rested:
            rating = skills.get(team, start)
            live, here = team not in armed - connected, team in there
            free.append(Free(team, rating, since, met, live=live, here=here))
    return free, len(entered & playing)


def _playing(stage: Stage) -> set[int]:
    """Teams with an open match on the ladder, or playing live elsewhere in the contest."""
    open_ = Match.objects.open().filter(contest=stage.contest_id)
    mine = open_.filter(Q(stage=stage, pending=False) | Q(live=True, state=Match.State.RUNNING))
    return set(MatchSeat.objects.filter(match__in=mine, team__isnull=False).values_list("team", flat=True))


def _absent(stage: Stage, now: datetime) -> set[int]:
    """In the last hour: absent teams that take part because they were connected before."""
    if not (stage.contest.live and is_final(stage, now)):
        return set()
    been = Client.objects.filter(team__contest=stage.contest_id, seen_at__isnull=False)
    return set(been.values_list("team", flat=True))


def _last_matches(stage: Stage) -> dict[int, tuple[datetime, frozenset[int]]]:
    """By team: when its last ladder match ended, and whom it met there."""
    mine = MatchSeat.objects.filter(
        team=OuterRef("pk"), match__stage=stage, match__state=Match.State.DONE, match__pending=False
    )
    latest = Subquery(mine.order_by("-match").values("match")[:1])
    found = dict(
        Team.objects.filter(contest=stage.contest_id).order_by().annotate(latest=latest).values_list("pk", "latest")
    )
    ended = dict(Match.objects.filter(pk__in=set(found.values()) - {None}).order_by().values_list("pk", "finished_at"))
    players: dict[int, set[int]] = {}
    seats = MatchSeat.objects.filter(match__in=ended, team__isnull=False).order_by()
    for match, team in seats.values_list("match", "team"):
        players.setdefault(match, set()).add(team)
    return {
        team: (ended[match] or NEVER, frozenset(players[match] - {team}))
        for team, match in found.items()
        if match is not None
    }


def _why(players: tuple[Free, ...], names: Mapping[int, str]) -> str:
    """Why these players meet, in one sentence. It gives no ratings, since results may not be public yet."""
    first, *near = (format(names[one.team]) for one in players)
    turn = "had waited longest" if players[0].since > NEVER else "had not played yet"
    others = ", ".join(near[:-1]) + " and " + near[-1] if near[1:] else near[0]
    said = f"Of the free teams, {first} {turn}; {others} {'are' if near[1:] else 'is'} close in rating."
    absent = " and ".join(format(names[one.team]) for one in players if not one.here)
    return f"{said} In the last minutes every team plays, even if it is away: {absent}." if absent else said


class Ladder(Usual):
    name = "ladder"
    plays_again = False
    has_plan = False
    expects_bots = True
    idles = True
    why_no_rehearsal = "A ladder cannot be rehearsed: opponents are picked from match to match."

    # Beginning

    def end_of(self, asked: datetime | None) -> datetime | None:
        return asked

    def sketch(self, stage: Stage, order: Sequence[TeamId]) -> None:
        """None: a ladder has no plan."""

    def check(self, stage: Stage) -> None:
        """Any number of teams can play."""

    def begin(self, stage: Stage, able: Sequence[TeamId]) -> None:
        """Nothing to fix: teams and versions may come at any time."""

    def reschedule(self, stage: Stage, ends_at: datetime | None, options: Mapping[str, Any]) -> None:
        if set(options) - RESETTABLE:
            raise Refused("This stage has started, so these options can no longer change.")
        if ends_at is not None and ends_at <= timezone.now():
            raise Refused("This end is in the past. To end the stage now, shorten it.")
        stage.ends_at = ends_at
        try:
            stage.options = stage.played_in.options({**stage.options, **options}, stage.contest.game)
        except FormatError as error:
            raise Refused(f"{error}.") from None

    def why_not_shorter(self, stage: Stage) -> str:
        over = stage.ends_at is not None and stage.ends_at <= timezone.now()
        return "This ladder is already at its end: it is over after the matches in progress." if over else ""

    def shorten(self, stage: Stage) -> None:
        """Matches in progress are finished."""
        stage.ends_at = timezone.now()

    # Following results

    def plan(self, stage: Stage) -> None:
        """None: matches are made as the stage goes on."""

    def moves_on(self, stage: Stage) -> bool:
        """When new matches are needed, or none any more."""
        now = timezone.now()
        return is_over(stage, now) or _room(stage, now) > 0 or _may_play_live(stage, now)

    def takes_arrivals(self) -> bool:
        return True

    def look_ahead(self, stage: Stage) -> Proposal:
        return propose(Stage.objects.select_related("contest").get(pk=stage.pk))

    def follow(self, stage: Stage, contest: Held, ahead: object) -> Changes:
        """Make the matches that are due, and void those of teams that no longer take part."""
        proposal, gone = cast("Proposal", ahead), list[Match]()
        if proposal.left:
            gone = list(leavers(stage).select_related("contest").prefetch_related("seats"))
            schedule.void(
                contest, with_names([(match, "A team no longer takes part.") for match in gone], contest), by=None
            )
            proposal = propose(stage)  # their opponents are free now
        return replace(reconcile(contest, stage, proposal), voided=len(gone))

    def in_line(self, stage: Stage) -> bool:
        """Never during play: one must look who is free."""
        return stage.state not in (Stage.State.RUNNING, Stage.State.PAUSED)

    # What if

    def in_place_of_void(self, stage: Stage) -> str:
        return "On a ladder no match replaces it."

    def restored(self, stage: Stage, match: Match) -> Restored:
        """No match replaced it, and nothing else was voided with it."""
        return Restored((match,))

    def consequences(self, stage: Stage, imagined: Imagined) -> StageImpact | None:
        """Nothing is drawn again; matches that a leaving team can no longer play are void."""
        if imagined.replaced or imagined.restored:
            return StageImpact(stage)
        if not imagined.out:
            return None
        open_ = stage.matches.valid().open().filter(seats__team__in=imagined.out)
        return StageImpact(stage, list(open_.select_related("table")))

    def expected(self, stage: Stage, teams: int, times: Times) -> Expected:
        """As many matches as the workers can play and the teams' pauses allow. Connected programs need no worker."""
        hour = timedelta(hours=1)
        rest = timedelta(seconds=stage.options["pause"])
        by_rest = hour / (times.usual + rest) * (teams // stage.options["table_size"])
        by_workers = hour / times.usual * times.at_once
        an_hour = round(by_rest if stage.contest.live else min(by_rest, by_workers))
        in_all = None
        if stage.ends_at:
            begins = max(timezone.now(), stage.starts_at or timezone.now())
            in_all = max(0, round(an_hour * ((stage.ends_at - begins) / hour)))
        return Expected(an_hour=an_hour, in_all=in_all)

    # Rankings

    def ranking(self, stage: Stage) -> list[TeamId]:
        return [row.team.pk for row in self.rows(stage, everything(stage.contest))]

    def rows(self, stage: Stage, sight: Sight) -> list[StageRow]:
        return standings.by_rating(stage, sight)

    def export(self, stage: Stage, sight: Sight) -> Iterator[dict[str, Any]]:
        rows = self.rows(stage, sight)
        gone = departures(stage.contest, (row.ranked for row in rows))
        return exported.ranking(stage, rows, lambda line: gone.get(line.team.pk))

    def champion(self, stage: Stage, sight: Sight) -> Team | None:
        return champion_of(stage, self.rows(stage, sight))


def champion_of(stage: Stage, rows: Sequence[StageRow]) -> Team | None:
    """The team alone in first place, once the stage is over."""
    first = [row.team for row in rows if row.ranked.rank == 1]
    return first[0] if stage.state == Stage.State.DONE and len(first) == 1 else None


LADDER = Ladder()
