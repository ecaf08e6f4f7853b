"""The filters for lists of matches."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import django_filters
from django import forms
from django.db.models import Exists, OuterRef, QuerySet

from contest.models import Team
from contest.models.moments import within_range
from tournaments.kinds import secrecy
from tournaments.models import Match, MatchSeat, Stage
from tournaments.models.matches import MatchQuerySet
from tournaments.results.visibility import Sight

NUMBER: dict[str, Any] = {"min_value": 0, "max_value": 2**62}


class MatchFilter(django_filters.FilterSet):
    """The filters for the list of matches."""

    team = django_filters.ModelChoiceFilter(
        queryset=Team.objects.none(), method="of_team", label="Team", empty_label="Any team"
    )
    stage = django_filters.ModelChoiceFilter(queryset=Stage.objects.none(), label="Stage", empty_label="Any stage")
    state = django_filters.ChoiceFilter(
        method="in_state", choices=Match.State.choices, label="State", empty_label="Any state"
    )
    faults = django_filters.ChoiceFilter(
        method="with_faults", label="Faults", empty_label="Any", choices=[("true", "With faults"), ("false", "Without")]
    )

    class Meta:
        model = Match
        fields = ("team", "stage", "state", "faults")

    def __init__(self, *args: Any, known: Sight, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known, contest = known, known.contest
        self.filters["team"].queryset = contest.teams.listed().only("contest", "name")
        self.filters["stage"].queryset = Stage.objects.filter(pk__in=[stage.pk for stage in known.stages])

    def of_team(self, found: MatchQuerySet, name: str, value: Team) -> MatchQuerySet:
        return found.filter(pk__in=value.match_seats.values("match"))  # a join would look at all matches, newest first

    def in_state(self, found: MatchQuerySet, name: str, value: str) -> MatchQuerySet:
        return self.known.in_state(value, found)

    def with_faults(self, found: QuerySet[Match], name: str, value: str) -> QuerySet[Match]:
        faulty = Exists(MatchSeat.objects.filter(match=OuterRef("pk"), faults__gt=0))
        return found.filter(faulty if value == "true" else ~faulty)


class WholeNumber(django_filters.NumberFilter):
    field_class = forms.IntegerField


class MatchSearch(MatchFilter):
    """Those and more, for programs."""

    round = WholeNumber(field_name="table__round", **NUMBER)
    version = WholeNumber(method="of_version", **NUMBER)
    since = django_filters.IsoDateTimeFilter(method="finished_since")
    after = WholeNumber(field_name="pk", lookup_expr="gt", **NUMBER)

    def of_version(self, found: QuerySet[Match], name: str, value: int) -> QuerySet[Match]:
        """Of the team that is asked for, otherwise of any."""
        seats = MatchSeat.objects.filter(match=OuterRef("pk"), submission__number=value)
        team = self.form.cleaned_data.get("team")
        return found.filter(Exists(seats.filter(team=team) if team else seats))

    def finished_since(self, found: QuerySet[Match], name: str, value: datetime) -> QuerySet[Match]:
        secret = [stage.pk for stage in self.known.stages if secrecy.hides_games_in(stage, self.known)]
        return found.filter(finished_at__gte=within_range(value)).exclude(stage__in=secret)
