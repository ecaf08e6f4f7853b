"""The settings of a contest, and its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.datastructures import MultiValueDict
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import contests
from contest.api.contests import ContestBody, contest_body
from contest.api.desk.views import DeskView, OrganiserView, OwnerView
from contest.api.forms import as_serializer, completed, filled, typed
from contest.api.problems import invalid, wrong
from contest.forms import ReasonForm
from contest.languages import lacking
from contest.models import Contest
from contest.setup_forms import ContestForm, OptionsForm

NeededReasonBody = as_serializer(ReasonForm, "NeededReasonBody")
ChangedSettingsBody = as_serializer(
    ContestForm,
    "ChangedSettingsBody",
    options=serializers.DictField(
        required=False, help_text="The options to change. Null: back to the value of the preset."
    ),
)


class LackingField(serializers.ListField):
    def get_attribute(self, instance: Contest) -> list[str]:
        return list(lacking(instance.game, instance.languages))


class SettingsBody(ContestBody):
    sanitize = serializers.BooleanField(help_text="Whether checks look for memory errors.")
    frozen_from = serializers.DateTimeField(allow_null=True, help_text="When results freeze, or froze.")
    lacking = LackingField(
        child=serializers.CharField(), help_text="What no worker can do now that this contest needs, as sentences."
    )


class NameBody(serializers.Serializer):
    name = serializers.CharField(help_text="The name of the contest, to confirm.")


class SettingsView(DeskView):
    @extend_schema(summary="All settings of the contest", responses=SettingsBody)
    def get(self, request: Request, slug: str) -> Response:
        return Response(self.body())

    @extend_schema(
        summary="Change settings of the contest",
        description="What you leave out stays as it is. `visibility` publishes or hides the contest. Another "
        "`time_zone` needs `keep` if dates could move with it; the refusal lists them.",
        request=ChangedSettingsBody,
        responses=SettingsBody,
    )
    def patch(self, request: Request, slug: str) -> Response:
        sent = typed(request)
        fresh = Contest.objects.get(pk=self.contest.pk)
        fields = filled(ContestForm(completed(sent, fresh, ContestForm), instance=fresh))
        if "options" in sent:
            fields["options"] = changed_options(self.contest, sent.get("options") or {})
        contests.edit(self.contest, self.person, fields, keep=fields.pop("keep", ""))
        return Response(self.body())

    def body(self) -> dict[str, Any]:
        return SettingsBody(self.contest, context={"access": self.access, "request": self.request}).data


def changed_options(contest: Contest, changes: object) -> dict[str, Any]:
    """The game's options with these changes. Raises Problem in the words of the page."""
    if not isinstance(changes, Mapping):
        raise wrong("options", "The options are an object: {name: value}.")
    form = OptionsForm(contest.game, contest.preset)
    if unknown := [name for name in changes if name not in form.fields]:
        raise wrong("options", f"{contest.game.title} has no option “{unknown[0]}”.")
    wished = {**contest.full_options(), **changes}
    wished |= {name: form.defaults[name] for name, value in changes.items() if value is None}
    data: MultiValueDict[str, Any] = MultiValueDict({form.add_prefix(name): [it] for name, it in wished.items()})
    form = OptionsForm(contest.game, contest.preset, data)
    if not form.is_valid():
        raise invalid(form, below="options")
    return form.changes()


class EndView(OrganiserView):
    @extend_schema(
        summary="End the contest",
        description="Everything stays visible, and nothing can be changed until somebody reopens it.",
        request=NeededReasonBody,
        responses=ContestBody,
    )
    def post(self, request: Request, slug: str) -> Response:
        contests.end(self.contest, self.person, filled(ReasonForm(typed(request)))["reason"])
        return Response(contest_body(self.contest, self.access, request))


class ReopenView(OrganiserView):
    @extend_schema(summary="Reopen a contest that has ended", request=NeededReasonBody, responses=ContestBody)
    def post(self, request: Request, slug: str) -> Response:
        contests.reopen(self.contest, self.person, filled(ReasonForm(typed(request)))["reason"])
        return Response(contest_body(self.contest, self.access, request))


class DeleteView(OwnerView):
    @extend_schema(
        summary="Delete a contest that no team has entered",
        description="For owners.",
        request=NameBody,
        responses={204: None},
    )
    def post(self, request: Request, slug: str) -> Response:
        if str(typed(request).get("name") or "").strip() != self.contest.name:
            raise wrong("name", "To delete the contest, type its name exactly.")
        with transaction.atomic():
            contests.delete(self.contest)
        return Response(status=204)
