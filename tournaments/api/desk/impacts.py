"""Previews: what an action would change."""

from __future__ import annotations

from rest_framework import serializers

from tournaments.kinds.consequences import Vacancy
from tournaments.models import Match


class StageName(serializers.Serializer):
    stage = serializers.IntegerField(help_text="Its id.")
    name = serializers.CharField()


class ImpactMatch(serializers.Serializer):
    match = serializers.IntegerField(help_text="Its id.")
    table = serializers.CharField()
    state = serializers.ChoiceField(Match.State.choices, help_text="Now.")


class TableChange(serializers.Serializer):
    """A table at which other teams would meet."""

    table = serializers.CharField()
    leaving = serializers.ListField(child=serializers.CharField())
    coming = serializers.ListField(child=serializers.CharField())
    vacancy = serializers.ChoiceField(
        [each.value for each in Vacancy],
        allow_blank=True,
        help_text="Seats that nobody takes: `open` again, for the `next` team in line, or `gone` with the table.",
    )


class ShiftBody(serializers.Serializer):
    """A team whose rank would change."""

    team_id = serializers.IntegerField()
    team = serializers.CharField()
    rank = serializers.IntegerField(allow_null=True, help_text="None: none yet, or out.")
    rank_after = serializers.IntegerField(allow_null=True)
    words = serializers.CharField(help_text="The rank now in words, such as “out”.")
    words_after = serializers.CharField()
    so_far = serializers.BooleanField(help_text="Matches that would be played again may change it once more.")


class StageImpactBody(StageName):
    voided = ImpactMatch(many=True, help_text="Further matches that would be void.")
    replaced = ImpactMatch(many=True, help_text="Matches that would be void because an earlier one counts again.")
    restored = ImpactMatch(many=True, help_text="Further matches that would count again.")
    no_longer_decided = serializers.ListField(child=serializers.CharField(), help_text="Tables.")
    tables = TableChange(many=True)
    ranking = ShiftBody(many=True)
    keep_their_teams = StageName(many=True, help_text="They began with the best of this stage, and stay as they are.")


class ImpactBody(serializers.Serializer):
    """What an action would change. It is computed as the action itself does it."""

    stages = StageImpactBody(many=True)
    drawn_again = StageName(many=True, help_text="Stages that have not begun and would be drawn again.")
    standings = ShiftBody(many=True, help_text="Of the contest, by rating.")


class EndingBody(serializers.Serializer):
    resets = serializers.IntegerField(help_text="Send it with the action: it is refused if the stage was reset since.")
    played = serializers.IntegerField(help_text="Results that would no longer count.")
    unplayed = serializers.IntegerField(help_text="Matches in progress or in the queue that would be void.")
    last_round = serializers.IntegerField(allow_null=True, help_text="The round after which the stage would end.")
    too_many = serializers.BooleanField(help_text="There are too many results to compute the standings beforehand.")
    impact = ImpactBody()
