"""Stages as organisers see them, and what a new or changed one takes."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request

from contest.api.forms import as_serializer
from contest.models import Contest, Team
from tournaments import formats
from tournaments.api.desk.timetables import RoundWishBody
from tournaments.api.stages import EntrantBody, StageBody, stage_line
from tournaments.forms import FORMS, PlainForm, StageForm
from tournaments.models import Rehearsal, Stage
from tournaments.models.stages import deciding_stage
from tournaments.organising import admission, deadlines
from tournaments.organising.day import stored_day
from tournaments.results.visibility import everything
from tournaments.view_models import stages_told


class DeskStageBody(StageBody):
    invited = serializers.ListField(child=serializers.IntegerField(), help_text="Teams, where only these play.")
    decides = serializers.BooleanField(help_text="Whether its winner is the champion of the contest.")
    can_be_edited = serializers.BooleanField()
    awaits_source = serializers.BooleanField(help_text="Its teams come from a stage that is not over.")
    absent = EntrantBody(many=True, help_text="Before the start: teams that could not play now.")
    missing = EntrantBody(
        many=True, help_text="Before the start, if it has a check-in: teams that are not, or were not in time."
    )
    refusal = serializers.CharField(allow_blank=True, help_text="Why it could not start on time.")
    warnings = serializers.ListField(child=serializers.CharField(), help_text="What an organiser should look at.")
    rehearsal = serializers.ChoiceField(Rehearsal.State.choices, allow_blank=True, help_text="Blank: there is none.")
    desk_page = serializers.URLField(help_text="The page for organisers.")


class SecondsField(serializers.FloatField):
    def to_representation(self, value: Any) -> Any:
        return value.total_seconds()


class ForeseenRoundBody(serializers.Serializer):
    number = serializers.IntegerField(source="row.number")
    name = serializers.CharField()
    usual_seconds = SecondsField(source="usual")
    begins = serializers.DateTimeField(allow_null=True, help_text="Probably. None: nobody can tell.")
    ends = serializers.DateTimeField(allow_null=True)


class BudgetBody(serializers.Serializer):
    """How much there will be to play, as far as that is known beforehand."""

    teams = serializers.IntegerField()
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    most_matches = serializers.IntegerField(help_text="With every match of every series.")
    games = serializers.IntegerField()
    at_once = serializers.IntegerField(help_text="Matches played in parallel.")
    usual_seconds = serializers.FloatField(help_text="For all of it.")
    matches_an_hour = serializers.IntegerField(allow_null=True, help_text="At most, on a ladder.")
    timetable = ForeseenRoundBody(many=True, help_text="Empty for a ladder.")
    warnings = serializers.ListField(child=serializers.CharField(), help_text="What is odd about the timetable.")


class SketchBody(serializers.Serializer):
    """A stage that was not created."""

    budget = BudgetBody(allow_null=True, help_text="None: nobody can tell.")


class EditedStageBody(serializers.Serializer):
    dry_run = serializers.BooleanField()
    stage = DeskStageBody(help_text="As it is now.")
    budget = BudgetBody(allow_null=True, help_text="In a dry run: of the stage as it would be.")


class DrawnSeat(serializers.Serializer):
    player = serializers.CharField(source="name")
    team_id = serializers.IntegerField(source="team.pk", allow_null=True)
    seed = serializers.IntegerField(allow_null=True)


class DrawnTable(serializers.Serializer):
    name = serializers.CharField(source="plan.name")
    seats = DrawnSeat(many=True)


class DrawnRound(serializers.Serializer):
    number = serializers.IntegerField()
    name = serializers.CharField()
    tables = DrawnTable(many=True)


class KeyField(serializers.IntegerField):
    def to_representation(self, value: Any) -> int:
        return value.pk


class DrawBody(serializers.Serializer):
    teams = serializers.IntegerField()
    absent = serializers.ListField(child=KeyField(), help_text="Teams that could not play now.")
    same_school = serializers.ListField(
        child=serializers.CharField(), help_text="With `schools_apart`: who still meets their own school in round one."
    )
    rounds = DrawnRound(many=True, help_text="All of a bracket, otherwise the first tables of the first round.")


class DrawnStageBody(serializers.Serializer):
    dry_run = serializers.BooleanField()
    stage = DeskStageBody(help_text="As it is now.")
    draw = DrawBody(allow_null=True, help_text="In a dry run: as it would be drawn.")


NULLABLE = ("starts_at", "check_in_closes_at", "ends_at", "source", "best", "rounds", "games")
"""Settings that null empties."""


def _settings(name: str) -> type[serializers.Serializer]:
    """What the forms of all formats take together."""
    fields: dict[str, Any] = {
        "format": serializers.ChoiceField(list(formats.FORMATS), required=False),
        "order": serializers.ListField(
            child=serializers.IntegerField(), required=False, help_text="Teams by hand, the first seed first."
        ),
    }
    fields["release"] = serializers.ChoiceField(Stage.Release.choices, required=False, help_text="Of all rounds.")
    fields["timetable"] = RoundWishBody(
        many=True, required=False, help_text="Rounds that you leave out stay as they are."
    )
    for form in FORMS.values():
        for title, field in as_serializer(form, "AnyStageBody", needed=(), nullable=NULLABLE)().get_fields().items():
            fields.setdefault(title, field)
    about = fields["table_size"].help_text
    fields["table_size"] = serializers.IntegerField(required=False, help_text=about)
    fields["invited"] = serializers.ListField(child=serializers.IntegerField(), required=False, help_text="Teams.")
    fields["house"] = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="House players for empty seats, by name."
    )
    return type(name, (serializers.Serializer,), {**fields, "__doc__": "Each format takes the settings that it has."})


NewStageBody = _settings("NewStageBody")
ChangedStageBody = _settings("ChangedStageBody")


class RoundNumberBody(serializers.Serializer):
    round = serializers.IntegerField(help_text="Its number, so that a repeated request releases no further round.")


def desk_stage_body(stage: Stage, request: Request) -> dict[str, Any]:
    """A stage as it is in the database now."""
    contest = Contest.objects.get(pk=stage.contest_id)
    sight = everything(contest)
    stage = sight.stage(stage.pk)
    absent, missing = ([], []) if stage.has_started or stage.awaits_source else _lacking(stage)
    rehearsal = Rehearsal.objects.filter(stage=stage).values_list("state", flat=True).first()
    deciding = deciding_stage(contest.stages.all())
    return {
        **stages_told.stage_told(stage, sight),
        **stage_line(stage, sight, request),
        "invited": list(stage.invited),
        "decides": deciding is not None and deciding.pk == stage.pk,
        "can_be_edited": stage.can_be_edited,
        "awaits_source": stage.awaits_source,
        "absent": [_entrant(team) for team in absent],
        "missing": [_entrant(team) for team in missing],
        "refusal": stage.refusal,
        "warnings": list(_warnings(stage, contest)),
        "rehearsal": rehearsal or "",
        "desk_page": request.build_absolute_uri(reverse("desk-stage", args=[contest.slug, stage.pk])),
    }


def _lacking(stage: Stage) -> tuple[list[Team], list[Team]]:
    """The teams without a bot, and those that are not checked in."""
    order = admission.current_order(stage)
    return admission.absent(stage.contest, order), admission.missing(stage, order)


def _entrant(team: Team) -> dict[str, Any]:
    return {"seed": None, "team_id": team.pk, "team": team.name}


def _warnings(stage: Stage, contest: Contest) -> list[str]:
    apart = deadlines.apart(contest, contest.stages.order_by("pk"), timezone.now())
    drift, day = admission.drift(stage), stored_day(stage)
    return [
        *(text for each, text in apart if each.pk == stage.pk),
        *([drift.words(stage)] if drift else []),
        *(day.warnings if day else ()),
    ]


def budget_body(form: PlainForm) -> dict[str, Any] | None:
    """Of a stage as it was filled in."""
    found, day = form.estimate, form.day if isinstance(form, StageForm) else None
    if found is None:
        return None
    return {
        **{name: getattr(found, name) for name in ("teams", "rounds", "matches", "most_matches", "games", "at_once")},
        "usual_seconds": found.usual.total_seconds(),
        "matches_an_hour": found.pace.an_hour if found.pace else None,
        "timetable": ForeseenRoundBody(day.rounds if day else (), many=True).data,
        "warnings": list(day.warnings) if day else [],
    }
