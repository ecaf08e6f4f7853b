"""Forms for stages that have begun: matches that are played again, and seats that change hands."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, QuerySet

from contest.forms import ReasonForm
from contest.models import Team
from contest.setup_forms import moment
from tournaments.models import Match, MatchSeat, Stage

LOOKED_AT = 5000  # latest matches whose workers can be chosen


class ChoiceForm(forms.Form):
    """Which matches of a stage are listed for review."""

    round = forms.TypedChoiceField(required=False, coerce=int, empty_value=None)
    team = forms.ModelChoiceField(Team.objects.none(), required=False, empty_label="All teams")
    worker = forms.ChoiceField(label="Played by", required=False)
    since = moment("Played since", required=False)

    def __init__(self, stage: Stage, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rounds, team, worker = self.fields["round"], self.fields["team"], self.fields["worker"]
        assert isinstance(rounds, forms.TypedChoiceField)
        assert isinstance(team, forms.ModelChoiceField)
        assert isinstance(worker, forms.ChoiceField)
        sizes = Counter(stage.tables.values_list("round", flat=True))
        in_order = [sizes[number] for number in sorted(sizes)]
        rounds.choices = [
            ("", "All rounds"),
            *((it, stage.played_in.round_name(it, in_order, stage.options)) for it in sorted(sizes)),
        ]
        team.queryset = Team.objects.filter(pk__in=stage.order)
        latest = stage.matches.done().order_by("-resulted").values_list("worker", flat=True)[:LOOKED_AT]
        worker.choices = [("", "All workers"), *((name, name) for name in sorted(set(latest)) if name)]

    def chosen(self, matches: QuerySet[Match]) -> QuerySet[Match]:
        """The matches that pass the filter. None if a field is invalid: a typing error must not select all."""
        if not self.is_valid():
            return matches.none()
        data = self.cleaned_data
        if data.get("round"):
            matches = matches.filter(table__round=data["round"])
        if data.get("team"):
            matches = matches.filter(Exists(MatchSeat.objects.filter(match=OuterRef("pk"), team=data["team"])))
        if data.get("worker"):
            matches = matches.filter(worker=data["worker"])
        if data.get("since"):
            matches = matches.filter(finished_at__gte=data["since"])
        return matches


class ReviewForm(ReasonForm):
    """How matches are played again, and why."""

    deals = forms.ChoiceField(
        choices=[("same", "The same deals"), ("other", "Other deals")],
        initial="same",
        widget=forms.RadioSelect,
        help_text="Duplicate deals stay the same unless all matches on them are played again.",
    )
    versions = forms.ChoiceField(
        choices=[("pinned", "The versions that played then"), ("active", "The versions that are active now")],
        initial="pinned",
        widget=forms.RadioSelect,
        help_text="Choose active versions only with other deals: their authors may have studied the old ones.",
    )

    def terms(self) -> dict[str, bool]:
        """What `reviews.start` needs to know besides the reason."""
        data = self.cleaned_data
        return {"other_deals": data["deals"] == "other", "newest": data["versions"] == "active"}


class ByeForm(forms.Form):
    team = forms.ModelChoiceField(Team.objects.none(), label="Team that comes in", empty_label="Choose a team")

    def __init__(self, stage: Stage, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("team", Team.objects.competing().filter(contest=stage.contest_id).exclude(pk__in=stage.order))

    def offer(self, name: str, teams: QuerySet[Team]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = teams


class ReplaceForm(ByeForm):
    instead_of = forms.ModelChoiceField(Team.objects.none(), label="Team that leaves", empty_label="Choose a team")

    field_order = ("instead_of", "team")

    def __init__(self, stage: Stage, *args: Any, **kwargs: Any) -> None:
        super().__init__(stage, *args, **kwargs)
        self.offer("instead_of", Team.objects.filter(pk__in=stage.order))


SEAT_FORMS: dict[str, type[ByeForm]] = {"replace": ReplaceForm, "bye": ByeForm}
