"""Forms about people: teams, members, roles, announcements, questions, reasons, seed numbers."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http import QueryDict

from contest import roster, spreadsheets
from contest.models import Act, Announcement, Contest, Question, Role, Team, User
from contest.names import NameInput, folded
from contest.refusal import Refused


class MergingForm(forms.Form):
    """A form that several people may have open at once: each changes only what they changed themselves.

    Its fields send along what they showed. What its sender left alone keeps its present value, whoever has changed that
    meanwhile. If both have changed a field, it is refused once and shows the other's value.
    """

    def merge(self) -> None:
        """Call in `__init__` of a form about something that exists already, when it has all of its fields."""
        for field in self.fields.values():
            field.show_hidden_initial = True

    def is_changed(self, name: str) -> bool:
        return name in self.changed_data

    def clean(self) -> dict[str, Any] | None:
        data = super().clean() or self.cleaned_data
        told = {name for name in self.fields if self[name].html_initial_name in self.data}
        for name, field in self.fields.items() if told else ():  # a program that tells nothing means all that it sends
            empty = field.hidden_widget is forms.MultipleHiddenInput  # of an empty list, nothing is told
            if field.show_hidden_initial and name in self.cleaned_data and (name in told or empty):
                self._merge_field(name, field, self[name])
        return data

    def _merge_field(self, name: str, field: forms.Field, bound: forms.BoundField) -> None:
        now = self.get_initial_for_field(field, name)
        if not self.is_changed(name):
            self.cleaned_data[name] = now
            return
        hidden = field.hidden_widget()
        seen = hidden.value_from_datadict(self.data, self.files, bound.html_initial_name)
        if field.has_changed(now, seen) and field.has_changed(now, bound.data):
            values = field.prepare_value(now)
            values = values if isinstance(values, list | tuple) else [] if values in (None, "") else [values]
            labels = dict(getattr(field, "choices", ()))
            said = ", ".join(str(labels.get(value, value)) for value in values) or "nothing"
            self.add_error(name, f"Somebody else changed this meanwhile, to: {said}. Save again to use yours instead.")
            data: Any = self.data.copy()  # type: ignore[attr-defined]  # of a request
            data.setlist(bound.html_initial_name, [str(value) for value in values] or [""])
            self.data = data


class EditForm(MergingForm):
    """One with all of its fields from the beginning. It merges if it is about something that exists already."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.initial:
            self.merge()


class TeamForm(EditForm, forms.ModelForm):
    class Meta:
        model = Team
        fields = ("name", "school")
        labels = {"name": "Team name", "school": "School or company"}
        help_texts = {"name": "Everyone sees it. Up to 60 characters.", "school": "Optional."}


class JoinForm(forms.Form):
    code = forms.CharField(
        label="Joining code",
        max_length=40,
        help_text="Eight letters and digits.",
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )


class ReasonForm(forms.Form):
    """Why an organiser acts. The audit log keeps it, and the team concerned can read it."""

    reason = NameInput(label="Reason", max_length=300)

    @property
    def complaint(self) -> str:
        """The error in one sentence, for pages that cannot show the form again."""
        return " ".join(str(error) for error in self.errors.get("reason", []))


class OptionalReasonForm(ReasonForm):
    reason = NameInput(label="Reason (optional)", max_length=300, required=False)


class RoleForm(forms.Form):
    who = forms.CharField(label="Username or email address", max_length=254)
    role = forms.ChoiceField(label="Role", choices=Role.Kind.choices, initial=Role.Kind.ORGANISER)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not settings.EMAIL_URL:  # without mail nobody can confirm an address
            self.fields["who"].label = "Username"


class AnnouncementForm(EditForm, forms.ModelForm):
    class Meta:
        model = Announcement
        fields = ("title", "text")
        help_texts = {"text": "Markdown: **bold**, lists, [links](https://…)."}
        widgets = {"text": forms.Textarea(attrs={"rows": 6})}


class QuestionForm(forms.ModelForm):
    """What a team asks."""

    text = forms.CharField(label="Question", max_length=4000, widget=forms.Textarea(attrs={"rows": 5}))

    class Meta:
        model = Question
        fields = ("subject", "text")


class AnswerForm(forms.Form):
    answer = forms.CharField(
        label="Answer",
        max_length=10_000,
        help_text="Markdown: **bold**, lists, [links](https://…).",
        widget=forms.Textarea(attrs={"rows": 7}),
    )
    to_all = forms.BooleanField(
        label="Show question and answer to everyone, without the team’s name",
        help_text="The question is shown as it was asked. Check that it does not name the team or describe its bot.",
        required=False,
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)  # the time of the answer that the page showed

    def __init__(self, question: Question, data: QueryDict | None = None, begun: str = "") -> None:
        seen = question.answered_at.isoformat() if question.answered_at else ""
        super().__init__(data, initial={"answer": begun or question.answer, "to_all": question.to_all, "seen": seen})
        if question.is_notice:
            self.fields["answer"].label = "Message"
            del self.fields["to_all"]

    def clean_seen(self) -> datetime | None:
        try:
            return datetime.fromisoformat(self.cleaned_data["seen"]) if self.cleaned_data["seen"] else None
        except ValueError:
            raise forms.ValidationError("Please reload this page.") from None


class NoticeForm(forms.Form):
    """A message from the organisers to one team."""

    team = forms.ModelChoiceField(Team.objects.none(), empty_label="Choose a team")
    subject = NameInput(max_length=120)
    text = forms.CharField(max_length=10_000, help_text="Markdown.", widget=forms.Textarea(attrs={"rows": 5}))

    def __init__(self, contest: Contest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["team"].queryset = contest.teams.all()  # type: ignore[attr-defined]


class TeamSearchForm(forms.Form):
    q = forms.CharField(label="Team or school", required=False, max_length=100)


class DeskTeamSearchForm(TeamSearchForm):
    state = forms.ChoiceField(label="State", required=False, choices=[("", "All"), *Team.State.choices])


class CheckInForm(TeamSearchForm):
    STATES = (("missing", "Not checked in"), ("present", "Checked in"), ("no-bot", "No bot"))

    state = forms.ChoiceField(label="State", required=False, choices=[("", "All"), *STATES])


class RosterForm(forms.Form):
    """A list of teams, uploaded or pasted."""

    file = forms.FileField(label="CSV file", required=False, allow_empty_file=True)
    text = forms.CharField(
        label="Or paste the list",
        required=False,
        max_length=500_000,
        strip=False,
        help_text="One team per line: name, school, seed number. School and seed number are optional. A header line "
        "may name the columns in any order.",
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "false", "class": "mono"}),
    )

    def clean_file(self) -> UploadedFile | None:
        file: UploadedFile | None = self.cleaned_data["file"]
        if file and (file.size or 0) > 500_000:
            raise forms.ValidationError("This file is too large to be a list of teams: the limit is 500 KB.")
        return file

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if data.get("file"):
            data["text"] = spreadsheets.decoded(data["file"].read())
        if not self.errors and not data.get("text", "").strip():
            raise forms.ValidationError("Choose a file or paste a list.")
        return data


class AuditLogForm(forms.Form):
    """The filter of the audit log."""

    who = forms.ModelChoiceField(User.objects.none(), required=False, empty_label="Everyone")
    verb = forms.ChoiceField(label="What", required=False)
    q = forms.CharField(label="Search", required=False, max_length=100)

    def __init__(self, contest: Contest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        acts = contest.acts.order_by()
        people, verbs = self.fields["who"], self.fields["verb"]
        assert isinstance(people, forms.ModelChoiceField)
        assert isinstance(verbs, forms.ChoiceField)
        people.queryset = User.objects.filter(pk__in=acts.values("user")).order_by("key")
        done = acts.order_by("verb").values_list("verb", flat=True).distinct()
        verbs.choices = [("", "Everything"), *((verb, verb.capitalize()) for verb in done)]

    def chosen(self, acts: QuerySet[Act]) -> QuerySet[Act]:
        """Filter these acts by the fields that are valid."""
        self.is_valid()
        data = self.cleaned_data
        if data.get("who"):
            acts = acts.filter(user=data["who"])
        if data.get("verb"):
            acts = acts.filter(verb=data["verb"])
        if text := folded(data.get("q", "")):
            told = acts.values_list("pk", "target", "reason")
            acts = acts.filter(pk__in=[pk for pk, *words in told if any(text in folded(word) for word in words)])
        return acts


class SeedsForm(MergingForm):
    """A table with a seed number for each team; empty means none."""

    def __init__(self, teams: list[Team], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.teams = teams
        for team in teams:
            field = forms.IntegerField(label=f"Seed of {team.name}", min_value=1, max_value=9999, required=False)
            field.initial = team.seed
            self.fields[f"seed_{team.pk}"] = field
        self.merge()

    def rows(self) -> list[tuple[Team, forms.BoundField]]:
        return [(team, self[f"seed_{team.pk}"]) for team in self.teams]

    def seeds(self) -> dict[int, int | None]:
        return {team.pk: self.cleaned_data[f"seed_{team.pk}"] for team in self.teams}


NUMBER = re.compile(r"\d{1,9}(?:[.,]0*)?", re.ASCII)


class SeedsPasteForm(forms.Form):
    """Lines of `number, team` or `team, number`, or with headings, as spreadsheets copy and save them."""

    paste = forms.CharField(
        label="Seed numbers and team names",
        help_text="One team per line, such as “1, Aces”. You can copy two columns from a spreadsheet.",
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        max_length=50_000,
    )

    def __init__(self, contest: Contest, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        teams = list(contest.teams.all())
        self.teams = {folded(team.name): team for team in teams} | {team.name: team for team in teams}

    def clean_paste(self) -> dict[int, int | None]:
        seeds: dict[int, int | None] = {}
        problems = []
        rows = spreadsheets.read(self.cleaned_data["paste"])
        try:
            columns = roster.headings(rows[0][1]) if rows else []
        except Refused as refusal:
            raise forms.ValidationError(str(refusal)) from None
        for number, cells in rows[bool(columns) :]:
            named = dict(zip(columns, cells, strict=False))
            try:
                team, seed = self._read([named.get(it, "") for it in ("seed", "name")] if columns else cells)
                if team.pk in seeds:
                    raise ValueError(f"“{team}” appears twice")
                seeds[team.pk] = seed
            except ValueError as error:
                problems.append(f"Line {number}: {error}.")
        if problems:
            raise forms.ValidationError(problems[:10])
        return seeds

    def _read(self, cells: list[str]) -> tuple[Team, int]:
        cells = [cell for cell in cells if cell]
        orders = [it for it in (cells, cells[-1:] + cells[:-1]) if len(it) > 1 and NUMBER.fullmatch(it[0])]
        for number, *words in orders:
            name = ", ".join(words)
            if team := self.teams.get(name) or self.teams.get(folded(name)):
                if not (seed := roster.SEED.fullmatch(number)):
                    raise ValueError("seed numbers run from 1 to 9999")
                return team, int(seed[1])
        if not orders:
            raise ValueError("write a number and a team's name, separated by a comma")
        raise ValueError(f"no team is called “{', '.join(orders[0][1:])}”")
