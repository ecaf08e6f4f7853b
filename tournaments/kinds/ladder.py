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

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

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
from tournaments.kinds.scores import Scored
from tournaments.kinds.statuses import Told, departures
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


@dataclass(frozen=True, slots=True)
class Made:
    """The result of `reconcile`."""

    created: int = 0
    finished: bool = False


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
    """Tables for teams that were free a moment ago, each with the chooser first."""

    tables: Sequence[tuple[Free, ...]] = ()


def propose(stage: Stage, now: datetime | None = None) -> Proposal | None:
    """Choose the next matches. It reads about every team, so do it before you hold the contest, and `reconcile` then
    looks again at those that were chosen. None: no match is made now."""
    now = now or timezone.now()
    if stage.state != Stage.State.RUNNING or is_over(stage, now):
        return None
    room = _room(stage, now)
    if not room and not stage.contest.live:
        return None
    free, busy = _who(stage, now)
    if len(free) < 2:
        return None
    terms = ladder.Terms(stage.options["table_size"], room, busy, late=now - PATIENCE)
    random = Random(f"{stage.chance}/{_next_number(stage)}")
    return Proposal(ladder.tables(free, terms, random))


def reconcile(held: Held, stage: Stage, now: datetime | None = None, proposal: Proposal | None = None) -> Made:
    """Make the matches of the proposal that can still be played, or finish the stage. Call it in a transaction that
    holds the contest and the stage (following.reconcile)."""
    now = now or timezone.now()
    if stage.state != Stage.State.RUNNING:
        return Made()
    if is_over(stage, now):
        return Made(finished=_finish(held, stage, now))
    _let_in(held, stage)
    made = _still_possible(stage, proposal.tables, now) if proposal is not None else []
    if not made:
        return Made()
    table = Table.objects.get_or_create(stage=stage, round=1, number=1, defaults={"name": "Ladder"})[0]
    size, chosen = stage.options["table_size"], {one.team for it in made for one in it}
    names = dict(Team.objects.filter(pk__in=chosen).values_list("pk", "name"))
    wanted = [
        (table, WantedMatch(at, tuple(one.team for one in players), size, _why(players, names)))
        for at, players in enumerate(made, start=_next_number(stage))
    ]
    versions = draw.active_versions(chosen)
    return Made(created=len(draw.matches(held, stage, wanted, lambda _: versions)))


def _next_number(stage: Stage) -> int:
    made_before = stage.matches.filter(pending=False, replay_of=None).order_by("-pk")
    return (made_before.values_list("number", flat=True).first() or 0) + 1


def _still_possible(stage: Stage, proposed: Sequence[tuple[Free, ...]], now: datetime) -> list[tuple[Free, ...]]:
    """The proposed tables whose players are all free now, as many as there is room for now."""
    if not proposed:
        return []
    room = _room(stage, now)
    free, _ = _who(stage, now, among={one.team for players in proposed for one in players})
    now_free = {one.team: one for one in free}
    found = []
    for players in proposed:
        if any(one.team not in now_free for one in players):
            continue
        live = any(now_free[one.team].live for one in players)
        if not live and room <= 0:
            continue
        room -= not live
        found.append(players)
    return found


def leavers(stage: Stage) -> list[tuple[Match, str]]:
    """Open matches of teams that no longer take part, each with the reason to void it."""
    seated = MatchSeat.objects.filter(match__in=_open(stage), team__isnull=False).order_by()
    at = list(seated.values_list("match", "team"))
    competing = _competing(stage, {team for _, team in at if team is not None})
    gone = {match for match, team in at if team not in competing}
    found = Match.objects.filter(pk__in=gone).select_related("contest").prefetch_related("seats").order_by("pk")
    return [(match, "A team no longer takes part.") for match in found]


def _let_in(held: Held, stage: Stage) -> None:
    """Add new entrants if every team may enter, even while the ladder goes on."""
    if stage.entry != Stage.Entry.ALL:
        return
    there = set(stage.order)
    if late := [team for team in sorted(_competing(stage)) if team not in there]:
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
    counts = dict(_open(stage).for_workers().values_list("state").annotate(count=Count("pk")))
    running, waiting = (counts.get(state, 0) for state in (Match.State.RUNNING, Match.State.QUEUED))
    few = min(QUEUED * short.at_once(stage.pk), len(stage.order) // (2 * stage.options["table_size"]))
    most = max(QUEUED, few, running)  # half of the teams at most need wait in matches that nobody plays yet
    return most - waiting if 2 * waiting <= most else 0


def _open(stage: Stage, *states: str) -> MatchQuerySet:
    """The matches without a result, in these states if given. Uses the index by stage and state."""
    return Match.objects.filter(stage=stage, state__in=states or OPEN, pending=False).order_by()


# Who is free ----------------------------------------------------------------------------------------------------------


def _who(stage: Stage, now: datetime, among: Collection[int] | None = None) -> tuple[list[Free], int]:
    """The teams that are free, and how many teams are playing on the ladder. `among`: look at these teams only."""
    entered = _competing(stage, among)
    if stage.entry != Stage.Entry.ALL:  # whoever is late is let in
        entered &= set(stage.order)
    playing = _playing(stage, among)
    connected = draw.connected_teams(stage.contest)
    active = Submission.objects.active().filter(team__contest=stage.contest_id)
    rated = Rating.objects.filter(contest=stage.contest_id).order_by()
    if among is not None:
        active, rated = active.filter(team__in=among), rated.filter(team__in=among)
    armed = set(active.values_list("team", flat=True))
    there = armed | connected
    absent = _absent(stage, now) - there
    skills = dict(rated.values_list("team", "mu"))
    start = ratings.system(stage.contest.game).start.mu
    last = _last_matches(stage, among)
    rested = now - timedelta(seconds=stage.options["pause"])
    free = []
    for team in sorted(entered & (there | absent) - playing):
        since, met = last.get(team, (NEVER, frozenset()))
        if since <= rested:
            rating = skills.get(team, start)
            live, here = team not in armed - connected, team in there
            free.append(Free(team, rating, since, met, live=live, here=here))
    return free, len(entered & playing)


def _competing(stage: Stage, among: Collection[int] | None = None) -> set[int]:
    teams = Team.objects.competing().filter(contest=stage.contest_id)
    return set((teams if among is None else teams.filter(pk__in=among)).values_list("pk", flat=True))


def _playing(stage: Stage, among: Collection[int] | None = None) -> set[int]:
    """Teams with an open match on the ladder, or playing live elsewhere in the contest."""
    open_ = Match.objects.open().filter(contest=stage.contest_id)
    mine = open_.filter(Q(stage=stage, pending=False) | Q(live=True, state=Match.State.RUNNING))
    seats = MatchSeat.objects.filter(match__in=mine, team__isnull=False)
    return set((seats if among is None else seats.filter(team__in=among)).values_list("team", flat=True))


def _absent(stage: Stage, now: datetime) -> set[int]:
    """In the last hour: absent teams that take part because they were connected before."""
    if not (stage.contest.live and is_final(stage, now)):
        return set()
    been = Client.objects.filter(team__contest=stage.contest_id, seen_at__isnull=False)
    return set(been.values_list("team", flat=True))


def _last_matches(stage: Stage, among: Collection[int] | None = None) -> dict[int, tuple[datetime, frozenset[int]]]:
    """By team: when its last ladder match ended, and whom it met there."""
    mine = MatchSeat.objects.filter(
        team=OuterRef("pk"), match__stage=stage, match__state=Match.State.DONE, match__pending=False
    )
    latest = Subquery(mine.order_by("-match").values("match")[:1])
    teams = Team.objects.filter(contest=stage.contest_id).order_by()
    if among is not None:
        teams = teams.filter(pk__in=among)
    found = dict(teams.annotate(latest=latest).values_list("pk", "latest"))
    matches = {match for match in found.values() if match is not None}
    seats = MatchSeat.objects.filter(match__in=matches, team__isnull=False).order_by()
    players: dict[int, set[int]] = {}
    ended: dict[int, datetime] = {}
    for match, team, at in seats.values_list("match", "team", "match__finished_at"):
        players.setdefault(match, set()).add(team)
        ended[match] = at or NEVER
    return {
        team: (ended[match], frozenset(players[match] - {team})) for team, match in found.items() if match is not None
    }


def _why(players: tuple[Free, ...], names: Mapping[int, str]) -> str:
    """Why these players meet, in one sentence. It gives no ratings, since results may not be public yet."""
    first, *near = (format(names[one.team]) for one in players)
    turn = "had waited longest" if players[0].since > NEVER else "had not played yet"
    others = ", ".join(near[:-1]) + " and " + near[-1] if near[1:] else near[0]
    said = f"Of the free teams, {first} {turn}; {others} {'are' if near[1:] else 'is'} close in rating."
    absent = " and ".join(format(names[one.team]) for one in players if not one.here)
    return f"{said} In the last minutes every team plays, even if it is away: {absent}." if absent else said


class Ladder(Scored):
    name = "ladder"
    plays_again = False
    has_plan = False
    expects_bots = True
    idles = True
    why_no_rehearsal = "A ladder cannot be rehearsed: opponents are picked from match to match."

    # Beginning

    def seats_told(self, match: Match, sight: Sight) -> list[tuple[MatchSeat, Told]]:
        return []

    def end_of(self, asked: datetime | None) -> datetime | None:
        return asked

    def goes_by_numbers(self, stage: Stage) -> bool:
        return False

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

    def versions_now(self, teams: Collection[TeamId]) -> dict[TeamId, int]:
        return draw.active_versions(teams)

    # Following results

    def entrants(self, stage: Stage) -> list[int]:
        order: list[int] = stage.order
        return order

    def plan(self, stage: Stage) -> None:
        """None: matches are made as the stage goes on."""

    def entrant_count(self, stage: Stage) -> int:
        return len(stage.order)

    def moves_on(self, stage: Stage) -> bool:
        """When new matches are needed, or none any more."""
        now = timezone.now()
        return stage.contest.live or is_over(stage, now) or _room(stage, now) > 0

    def takes_arrivals(self) -> bool:
        return True

    def look_ahead(self, stage: Stage) -> Proposal:
        return propose(Stage.objects.select_related("contest").get(pk=stage.pk)) or Proposal()

    def follow(self, stage: Stage, contest: Held, ahead: object = None) -> Changes:
        """Make the matches that are due, and void those of teams that no longer take part."""
        gone = with_names(leavers(stage), contest)
        schedule.void(contest, gone, by=None)
        proposal = ahead if isinstance(ahead, Proposal) and not gone else propose(stage)  # else opponents are free now
        made = reconcile(contest, stage, proposal=proposal)
        return Changes(len(gone), made.created, finished=made.finished)

    def in_line(self, stage: Stage) -> bool:
        """Never during play: one must look who is free."""
        return stage.state not in (Stage.State.RUNNING, Stage.State.PAUSED)

    # Drawing

    def is_bracket(self, stage: Stage) -> bool:
        return False

    def is_long(self, stage: Stage) -> bool:
        return False

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
