"""Results without matches: who sat where with which version, and the places.

A `Chronicle` writes results as a worker does (claimed, finished, counted), but without a referee, so thousands are
cheap. It also computes what ratings and sums should be, from its own list alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from contest import ledger
from contest.ledger import Fact, hold
from contest.models import Kind
from tests.cast import make_contest
from tests.tournaments import scenes
from tests.tournaments.stagecraft import give_bot
from tournaments.formats.rating_systems import Skill, system
from tournaments.kinds import schedule
from tournaments.models import Match, MatchSeat, Rating, Tally
from tournaments.organising import stages
from tournaments.results import tallies


@dataclass
class Entry:
    """A result: by seat the team (None: the house), its version, its place and its points."""

    match: Match
    teams: list[int | None]
    versions: list[int | None]
    places: list[int]
    points: list[float]
    games: int


class Chronicle:
    def __init__(self, teams: int = 6, game: str = "barracuda", *, format: str = "ladder", **options: object) -> None:
        self.contest = make_contest(game=game)
        self.teams = scenes.enter(self.contest, teams)
        self.stage = stages.create(self.contest, None, stages.Wish("Ladder", format, options))
        stages.start(self.stage, None)
        self.stage.refresh_from_db()
        self.stage.matches.all().delete()
        self.table = self.stage.tables.first()
        self.versions: list[int | None] = [team.submissions.get().pk for team in self.teams]
        self.entries: list[Entry] = []
        self.number = 0

    def update(self, team: int) -> None:
        """From now on the team (by its index) plays a new version."""
        number = self.teams[team].submissions.count() + 1
        self.versions[team] = give_bot(self.teams[team], number=number).pk

    def play(
        self, teams: Sequence[int | None], places: Sequence[int], *, games: int = 2, seed: int | None = None
    ) -> Match:
        """Teams by index; None is a house player."""
        self.number += 1
        with transaction.atomic():
            contest = hold(self.stage.contest_id)
            match = Match.objects.create(
                contest=contest, stage=self.stage, table=self.table, number=self.number, seed=seed or self.number,
                state=Match.State.DONE, games=games, finished_at=timezone.now(),
            )  # fmt: skip
            number = ledger.write(
                contest,
                Fact(Kind.MATCHES_DRAWN, self.stage.pk, data={"matches": [match.pk]}),
                Fact(Kind.MATCH_RESULT, self.stage.pk, match.pk),
            )
            match.counts_from, match.resulted = number, number + 1
            match.save(update_fields=["counts_from", "resulted"])
            points = [float(7 * self.number % 11 + 2 * place) for place in places]
            for index, (team, place, score) in enumerate(zip(teams, places, points, strict=True)):
                who = {"house": "random"} if team is None else self._who(team)
                MatchSeat.objects.create(match=match, index=index, place=place, score=score, faults=index, **who)
            tallies.count({match: tallies.gains_of(match)})
        ids = [None if team is None else self.teams[team].pk for team in teams]
        versions = [None if team is None else self.versions[team] for team in teams]
        self.entries.append(Entry(match, ids, versions, list(places), points, games))
        return match

    def _who(self, team: int) -> dict[str, object]:
        return {"team_id": self.teams[team].pk, "submission_id": self.versions[team]}

    def void(self, *which: int) -> None:
        """By index in the list of results that still count."""
        gone = [self.entries[index] for index in which]
        with transaction.atomic():
            held = hold(self.stage.contest_id)
            schedule.void(held, [(Match.objects.get(pk=entry.match.pk), "never mind") for entry in gone], by=None)
        self.entries = [entry for entry in self.entries if entry not in gone]

    # Expected values ------------------------------------------------------------------------------------------------

    def expected(self) -> tuple[dict[int, list[tuple[float, ...]]], dict[int, tuple[object, ...]]]:
        """The links of each match (before and after, by a team's seat), and the end of the chain for each team."""
        rated = system(self.contest.game)
        skills: dict[int, Skill] = {}
        played: dict[int, int] = {}
        last: dict[int, int | None] = {}
        links = {}
        for entry in self.entries:
            sat = [(t, v, p) for t, v, p in zip(entry.teams, entry.versions, entry.places, strict=True) if t]
            before = []
            for team, version, _ in sat:
                skill = skills.get(team, rated.start)
                before.append(rated.widened(skill) if team in last and last[team] != version else skill)
            after = rated.rate(before, [place for *_, place in sat]) if len(sat) > 1 else before
            links[entry.match.pk] = [(*old, *new) for old, new in zip(before, after, strict=True)]
            for (team, version, _), skill in zip(sat, after, strict=True):
                skills[team], last[team], played[team] = skill, version, played.get(team, 0) + 1
        return links, {team: (*skill, played[team], last[team]) for team, skill in skills.items()}

    def written(self) -> tuple[dict[int, list[tuple[float, ...]]], dict[int, tuple[object, ...]]]:
        """The same from the database."""
        links: dict[int, list[tuple[float, ...]]] = {}
        seats = MatchSeat.objects.filter(match__stage=self.stage, match__state="done", team__isnull=False)
        for match, *link in seats.order_by("match", "index").values_list(
            "match", "mu_before", "sigma_before", "mu_after", "sigma_after"
        ):
            links.setdefault(match, []).append(tuple(link))
        rows = Rating.objects.filter(contest=self.contest)
        return links, {row.team_id: (row.mu, row.sigma, row.matches, row.submission_id) for row in rows}

    def sums(self) -> dict[int, dict[str, float]]:
        """The expected tallies by team; every match is a unit."""
        found: dict[int, dict[str, float]] = {}
        for entry in self.entries:
            for index, team in enumerate(entry.teams):
                if team is None:
                    continue
                sums = found.setdefault(team, dict.fromkeys(tallies.COUNTED, 0.0))
                value = entry.points[index] / entry.games
                more = {"matches": 1, "games": entry.games, "points": entry.points[index], "faults": index}
                more |= {"units": 1, "total": value, "squares": value**2, tallies.PLACES[entry.places[index] - 1]: 1}
                more[self._outcome(entry, index)] = 1
                for name, amount in more.items():
                    sums[name] += amount
        return found

    @staticmethod
    def _outcome(entry: Entry, index: int) -> str:
        """Compare teams if two meet, otherwise all players."""
        duel = sum(team is not None for team in entry.teams) == 2
        rivals = [
            place
            for at, (team, place) in enumerate(zip(entry.teams, entry.places, strict=True))
            if at != index and not (duel and team is None)
        ]
        own = entry.places[index]
        if any(place < own for place in rivals):
            return "lost"
        return "tied" if own in rivals else "won"

    def tallied(self) -> dict[int, dict[str, float]]:
        rows = Tally.objects.filter(stage=self.stage)
        return {row.team_id: {name: getattr(row, name) for name in tallies.COUNTED} for row in rows}
