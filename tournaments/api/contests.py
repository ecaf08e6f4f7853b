"""What addresses about the results of a contest have in common."""

from __future__ import annotations

from rest_framework.request import Request

from contest.api import paging
from contest.api.views import ContestView
from contest.models import Team
from tournaments.results.visibility import Sight, sight


class SightView(ContestView):
    """An address below a contest that tells results: as far as `self.sight` goes."""

    tag = "results"
    sight: Sight

    def prepare(self, request: Request) -> None:
        super().prepare(request)
        self.sight = sight(request._request, self.contest)

    @property
    def results_revision(self) -> str:
        """Changes whenever results change that this reader may know; another one for the stream. The phase counts
        because it changes by the clock, and hidden games become public when the contest ends."""
        return f"{self.access.revision}.{self.contest.phase()}{'n' if paging.wants_lines(self.request) else ''}"

    def known_team(self, pk: int | None) -> Team | None:
        """A team that the reader may know of."""
        return self.access.teams().filter(pk=pk or 0).first()
