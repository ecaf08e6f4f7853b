"""Play contests by the real actions, with house players in the teams' seats and with a clock and chance of our own."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from django.utils import timezone

DAY = timedelta(days=1)
FOREVER = datetime(2099, 12, 31, tzinfo=UTC)


class Clock:
    """`timezone.now` for the code that plays: every question is a millisecond later than the one before.

    Everything happens in 2024 or, where it is still to come, in 2099, so the database looks the same whenever a test
    reads it.
    """

    def __init__(self) -> None:
        self.at = datetime(2024, 3, 1, 9, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.at += timedelta(milliseconds=1)
        return self.at

    def go_on(self, time: timedelta) -> None:
        self.at += time


CLOCK = Clock()


def fix_chance() -> None:
    """Must run before the models are imported: their defaults keep a reference to `timezone.now`."""
    random = Random(17)
    timezone.now = CLOCK
    secrets.randbits = random.getrandbits
    secrets.randbelow = random.randrange
    secrets.choice = random.choice
    secrets.token_hex = lambda size=32: random.randbytes(size).hex()
    secrets.token_urlsafe = lambda size=32: f"{random.getrandbits(6 * size):x}"


fix_chance()

import django  # noqa: E402

django.setup()

from contest import contests, teams  # noqa: E402
from contest.models import Contest, Team, User  # noqa: E402
from games import referee  # noqa: E402
from games.debug import DebugLog  # noqa: E402
from games.engine import Fault, FaultKind, Game, Options, Seat, Setting  # noqa: E402
from games.players import Decision, HousePlayer, Seated  # noqa: E402
from submissions.models import Submission  # noqa: E402
from tournaments import play, queue, schedule, stages  # noqa: E402
from tournaments.models import Client, Match, Stage  # noqa: E402

queue.wake = lambda count: True  # nobody waits for work: we play

Results = Callable[[Match], Mapping[int, int]]
"""The places of the teams of a match, by id."""


class Bot(HousePlayer):
    """A house player that takes the same time in every run.

    It makes `fault` at its third decision. `wrong` is for judged games: a bot that is "wrong" always plays its highest
    card, one that is "late" does so in the hidden games alone.
    """

    def __init__(self, game: Game, number: int, fault: FaultKind | None = None, wrong: str = "") -> None:
        house = game.house[-1] if game.sample else game.house[0]
        super().__init__(house)
        self.debug = DebugLog(1000)
        self.number, self.fault, self.wrong = number, fault, wrong
        self.decisions = 0
        self.fails = False

    def begin(self, game: Game, seat: Seat, options: Options, random: Random, setting: Setting) -> None:
        super().begin(game, seat, options, random, setting)
        self.fails = self.wrong == "wrong" or (self.wrong == "late" and setting.number > len(game.sample))

    def decide(self, legal: Callable[[], Sequence[Any]], place: int) -> Decision:
        self.decisions += 1
        if self.decisions == 3:
            self.debug.add(place, b"thinking\n")
            if self.fault:
                raise Fault(self.fault, f"the bot failed: {self.fault}", b"nonsense")
        action, *_ = super().decide(legal, place)
        if self.fails:
            action = max(legal())
        return Decision(action, 0.25, 0.5 * self.number)


# People and their programs --------------------------------------------------------------------------------------------

_users = 0


def user(name: str = "", **fields: Any) -> User:
    global _users  # noqa: PLW0603
    _users += 1
    made = User(username=name or f"player{_users}", email=f"{name or f'player{_users}'}@example.org", **fields)
    made.set_unusable_password()
    made.password = "!"  # the random part of an unusable password tells nobody anything
    made.save()
    return made


ADA: list[User] = []


def owner() -> User:
    """The owner of every contest."""
    if not ADA:
        ADA.append(user("ada"))
    return ADA[0]


class Story:
    """A contest with its teams, numbered from 0 in the order of their seeds."""

    def __init__(
        self, name: str, count: int, game: str = "tricky_eights", *, bots: int | None = None, **fields: Any
    ) -> None:
        """`bots`: only so many of the teams have one; None: all."""
        CLOCK.go_on(timedelta(hours=1))
        start = CLOCK().replace(microsecond=0)
        fields = {"preset": "open", "entry_deadline": start + 7 * DAY, "upload_deadline": start + 7 * DAY, **fields}
        self.by = owner()
        self.contest = contests.create(self.by, name, game, fields.pop("preset"), start - DAY, **fields)
        self.teams = [self.enter(f"{name} {number}") for number in range(count)]
        teams.set_seeds(self.contest, self.by, {team.pk: at for at, team in enumerate(self.teams, 1)})
        for team in self.teams[: count if bots is None else bots]:
            self.send(team)

    def enter(self, name: str) -> Team:
        return teams.create(self.contest, user(), name, "School of Cards")

    def send(self, team: Team, *, active: bool = True) -> Submission:
        """A ready version that nobody has built."""
        CLOCK.go_on(timedelta(seconds=30))
        if active:
            team.submissions.update(is_active=False)
        made = Submission.objects.create(
            team=team, number=team.submissions.count() + 1, language="python", filename="bot.py", source=b"pass\n",
            size=5, sha256="0" * 64, state=Submission.State.READY, is_active=active,
        )  # fmt: skip
        Submission.objects.filter(pk=made.pk).update(uploaded_at=CLOCK.at)
        self.contest.touch()
        return made

    def connect(self, team: Team) -> None:
        """Keep the team's own program connected for the next minute."""
        now = CLOCK()
        Client.objects.update_or_create(
            team=team,
            defaults={"connected_since": now, "connected_from": "192.0.2.7", "seen_at": now + timedelta(seconds=45)},
        )

    def stage(
        self, name: str, format: str = "single_elimination", *, start: bool = True, seed: int = 17, **wish: Any
    ) -> Stage:
        made = stages.create(self.contest, self.by, stages.Wish(name, format, **wish))
        Stage.objects.filter(pk=made.pk).update(seed=2**62 + seed)
        return self.start(made) if start else fresh(made)

    def start(self, stage: Stage) -> Stage:
        CLOCK.go_on(timedelta(minutes=1))
        if fresh(stage).state == Stage.State.DRAFT:
            stages.publish(stage, self.by)
        stages.start(stage, self.by)
        return fresh(stage)

    def reread(self) -> Contest:
        self.contest.refresh_from_db()
        return self.contest


def fresh(stage: Stage) -> Stage:
    return Stage.objects.select_related("contest").get(pk=stage.pk)


# Results --------------------------------------------------------------------------------------------------------------


def by_seed(match: Match) -> dict[int, int]:
    """The stronger seed is better."""
    met = sorted((seat.team for seat in match.seats.all() if seat.team), key=lambda team: team.seed or 0)
    return {team.pk: place for place, team in enumerate(met, start=1)}


def weaker_wins(match: Match) -> dict[int, int]:
    places = by_seed(match)
    return {team: len(places) + 1 - place for team, place in places.items()}


def all_level(match: Match) -> dict[int, int]:
    return dict.fromkeys(by_seed(match), 1)


def finish(
    match: Match,
    results: Results | None = None,
    *,
    faulty: Mapping[int, FaultKind] | None = None,
    wrong: str = "",
) -> Match:
    """Claim a match, play it and write its result. `results`: places of our choice; None: as it happens. `faulty`: what
    goes wrong for these teams (by id)."""
    CLOCK.go_on(timedelta(seconds=5))
    claimed = play.claim(match.pk, "tester")
    assert claimed is not None, f"{match} cannot be claimed"
    CLOCK.go_on(timedelta(seconds=20))
    game, seats = claimed.contest.game, play.seats_of(claimed)
    players = [
        Seated(
            seat.name,
            seat.submission.filename if seat.submission else f"house:{seat.house}" if seat.house else "bot",
            Bot(game, seat.index + 1, (faulty or {}).get(seat.team_id or 0), wrong),
        )
        for seat in seats
    ]
    played = referee.play(
        game, players, seed=claimed.seed, options=claimed.options, preset=claimed.contest.preset,
        games=claimed.stage.options.get("games"), openings=claimed.openings or None,
    )  # fmt: skip
    if results:
        arrange(played, seats, results(claimed), game.low_wins)
    play.finish(claimed, played)
    live = [seat.pk for seat in seats if seat.is_live]
    claimed.seats.filter(pk__in=live).update(client="192.0.2.7")
    if not claimed.pending:
        schedule.after_result(claimed)
    match.refresh_from_db()
    return match


def arrange(played: referee.Match, seats: Sequence[Any], places: Mapping[int, int], low_wins: bool) -> None:
    """Give the teams these places, the house the last one."""
    last, result = len(seats), played.record["result"]
    result["places"] = [places.get(seat.team_id or 0, last) for seat in seats]
    result["scores"] = [10 * (place if low_wins else last - place) for place in result["places"]]


def waiting(stage: Stage, round: int | None = None) -> Match | None:
    found = Match.objects.claimable(CLOCK()).filter(stage=stage, pending=False)
    return (found if round is None else found.filter(table__round=round)).first()


def play_on(
    stage: Stage,
    results: Results | None = None,
    *,
    most: int = 1000,
    round: int | None = None,
    faulty: Mapping[int, FaultKind] | None = None,
) -> Stage:
    """Play what waits in the stage, or in that round of it."""
    for _ in range(most):
        match = waiting(stage, round)
        if match is None:
            break
        finish(match, results, faulty=faulty)
    return fresh(stage)


def climb(stage: Stage, matches: int, before: Callable[[int], None] = lambda number: None) -> Stage:
    """Play so many matches of a ladder, which is looked at as the tick does it."""
    for number in range(matches):
        for _ in range(20):
            CLOCK.go_on(timedelta(seconds=40))
            before(number)
            schedule.reconcile(stage)
            if match := waiting(stage):
                break
        else:
            raise AssertionError("the ladder makes no match")
        finish(match)
    return fresh(stage)


def tables(stage: Stage, round: int) -> list[Match]:
    """The first valid match of every table of a round."""
    return list(stage.matches.valid().filter(table__round=round, number=1).order_by("table__number"))


def met(match: Match) -> list[Team]:
    """The teams of a match, the best first (by seed while it is not played)."""
    seats = [seat for seat in match.seats.select_related("team") if seat.team]
    return [seat.team for seat in sorted(seats, key=lambda seat: (seat.place or 0, seat.team.seed or 0)) if seat.team]


def faults(match: Match, which: Collection[int], kind: FaultKind = FaultKind.TIMEOUT) -> dict[int, FaultKind]:
    """A fault for these of its teams, by their seed's order."""
    found = list(by_seed(match))
    return {found[index]: kind for index in which}
