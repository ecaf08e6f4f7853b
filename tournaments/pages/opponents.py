"""What the pages of practice and of trials share: menus of opponents, and who may open a page."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property, wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from contest.models import Contest, Team
from contest.permissions import Access, access, contest_page
from contest.words import numbers_in
from tournaments.models import Rating
from tournaments.models.matches import house_player
from tournaments.practice import rights
from tournaments.practice.forms import AgainstForm
from tournaments.results.visibility import public

MOST_TEAMS = 300  # in a menu; others are chosen on their own page

Choices = list[tuple[str, list[tuple[str, str]]]]
"""Groups of (value, label)."""


class OpponentMenus(AgainstForm):
    """A form with the field `opponents` and a menu for each other seat (_opponents.html)."""

    @cached_property
    def numbers(self) -> list[int]:
        """The team's versions that are ready, the newest first."""
        return rights.versions(self.team)

    @cached_property  # read for every seat
    def choices(self) -> Choices:
        return opponents_for(self.team, self.numbers, self.chosen)

    @property
    def chosen(self) -> list[str]:
        """The opponents that were chosen so far."""
        value = self["opponents"].value() or []
        return [f"{key}" for key in value]

    def rows(self) -> list[tuple[str, str]]:
        """For each other seat its label and the opponent that is chosen for it."""
        count = self.team.contest.game.seats[1] - 1
        named = self.chosen or self._near(count)
        return [
            (f"Opponent {number + 1}" if count > 1 else "Opponent", named[number % len(named)])
            for number in range(count)
        ]

    def _near(self, count: int) -> list[str]:
        """Those near the level of the team's bot: the teams with the nearest ratings, or a middling house player."""
        rated = {f"team:{pk}" for pk in _distances(self.team)}
        teams = [key for _, options in self.choices for key, _ in options if key in rated]
        house = self.team.contest.game.house
        return teams[:count] or [f"house:{house[len(house) // 2].name}"]


def opponents_for(team: Team, versions: Sequence[int], chosen: Sequence[str]) -> Choices:
    """Everybody whom the team may choose, and those who are chosen already."""
    others = rights.opponents(team)
    listed = list(others[:MOST_TEAMS])
    numbers = numbers_in(key.removeprefix("team:") for key in chosen if key.startswith("team:"))
    listed += (
        [] if len(listed) < MOST_TEAMS else list(others.filter(pk__in=numbers).exclude(pk__in=[it.pk for it in listed]))
    )
    distances = _distances(team)
    listed.sort(key=lambda it: distances.get(it.pk, math.inf))
    found: Choices = [
        ("House", [(f"house:{it.name}", house_player(it.name)) for it in reversed(team.contest.game.house)]),
        ("Your versions", [(f"version:{number}", f"Version {number}") for number in versions]),
        ("Teams, with their active versions", [(f"team:{it.pk}", it.name) for it in listed]),
    ]
    return [(title, options) for title, options in found if options]


def _distances(team: Team) -> dict[int, float]:
    """How far the rating of each team is from that of this one. Empty if it has none, or if ratings tell what is
    hidden."""
    if public(team.contest).rated_until is not None:
        return {}
    mu = dict(Rating.objects.filter(contest=team.contest_id).values_list("team", "mu"))
    return {pk: abs(it - mu[team.pk]) for pk, it in mu.items()} if team.pk in mu else {}


def owners_page(name: str, find: Callable[[Access, int], Any]) -> Callable[..., Callable[..., HttpResponseBase]]:
    """A view for the team that ordered and for people with a role; everybody else gets a 404. The view gets what `find`
    finds, instead of its id, which is the part `name` of the address."""

    def decorate(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def page(request: HttpRequest, contest: Contest, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            return view(request, contest, find(access(request, contest), kwargs.pop(name)), **kwargs)

        return contest_page(page)

    return decorate
