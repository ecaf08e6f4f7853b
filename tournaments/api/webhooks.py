"""The webhooks of one's team, those of the desk, and one's own for the news of what one follows."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, OpenApiWebhook, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.desk.views import OrganiserView
from contest.api.forms import as_serializer, completed, filled, typed
from contest.api.paging import NewestFirst
from contest.api.problems import wrong
from contest.api.views import ApiView, MemberView, NameField
from contest.models import Kind, Scope
from tournaments.api.ledger import EntryBody
from tournaments.models import Delivery, NewsItem, Webhook
from tournaments.webhooks import changes, following
from tournaments.webhooks.forms import NewsWebhookForm, SinceForm, WebhookForm
from tournaments.webhooks.views import Owner, delivery_of, why_off

SEEN = "Where the receiver is. Paths often contain keys, so keep it to yourself."


KINDS = (*Kind.choices, *NewsItem.FURTHER.items())
"""What webhooks can tell: those of followers the kinds of news, others the kinds of entries of the ledger."""


class WhyOffField(serializers.CharField):
    def get_attribute(self, instance: Webhook) -> str:
        return why_off(instance)


class WebhookBody(serializers.Serializer):
    id = serializers.IntegerField()
    url = serializers.CharField(help_text=SEEN)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(KINDS), help_text="The events that it tells. None at all: every event."
    )
    is_on = serializers.BooleanField()
    why_off = WhyOffField(allow_blank=True, help_text="A sentence.")
    switched_off_at = serializers.DateTimeField(allow_null=True)
    waiting = serializers.IntegerField(help_text="Messages that are not delivered yet.")
    failures = serializers.IntegerField(help_text="In a row.")
    failing_since = serializers.DateTimeField(allow_null=True)
    retry_at = serializers.DateTimeField(allow_null=True, help_text="When the message that failed is tried again.")
    delivered_at = serializers.DateTimeField(allow_null=True, help_text="The last success.")
    made_at = serializers.DateTimeField()
    reads_as = NameField(
        allow_blank=True, help_text="Who is responsible. It stops when they leave the team or lose their role."
    )
    old_secret_until = serializers.DateTimeField(
        allow_null=True, help_text="Until then messages are also signed with the secret before this one."
    )

    def to_representation(self, instance: Webhook) -> dict[str, Any]:
        told = super().to_representation(instance)
        return told if len(instance.secrets(timezone.now())) > 1 else told | {"old_secret_until": None}


class NewWebhookBody(WebhookBody):
    secret = serializers.CharField(help_text="Shown only in this answer.")


class DeliveryBody(serializers.Serializer):
    id = serializers.IntegerField()
    message = serializers.CharField(help_text="The header `webhook-id`.")
    entry = serializers.CharField(
        allow_blank=True, help_text="The `id` of the entry in the ledger, or of the news. Blank for a test."
    )
    kind = serializers.CharField(help_text="That of the entry, or `test`.")
    state = serializers.ChoiceField(Delivery.State.choices)
    is_again = serializers.BooleanField(help_text="Whether somebody asked for it once more.")
    made_at = serializers.DateTimeField()
    tries = serializers.IntegerField()
    tried_at = serializers.DateTimeField(allow_null=True, help_text="The last try.")
    delivered_at = serializers.DateTimeField(allow_null=True)
    status = serializers.IntegerField(allow_null=True, help_text="What the receiver answered last.")
    error = serializers.CharField(allow_blank=True, help_text="A sentence.")
    duration_ms = serializers.IntegerField(allow_null=True)


class PayloadField(serializers.JSONField):
    def to_representation(self, value: Any) -> Any:
        return json.loads(value)


class WholeDeliveryBody(DeliveryBody):
    sent_to = serializers.CharField(allow_blank=True, help_text="The address at the last try.")
    payload = PayloadField(help_text="The body of the request.")
    answer = serializers.CharField(allow_blank=True, help_text="How the body of the last answer begins.")


class CountBody(serializers.Serializer):
    messages = serializers.IntegerField()


GivenWebhookBody = as_serializer(WebhookForm, "GivenWebhookBody")
ChangedWebhookBody = as_serializer(WebhookForm, "ChangedWebhookBody")
GivenNewsWebhookBody = as_serializer(NewsWebhookForm, "GivenNewsWebhookBody")
ChangedNewsWebhookBody = as_serializer(NewsWebhookForm, "ChangedNewsWebhookBody")
SinceBody = as_serializer(SinceForm, "SinceBody")


class MessageBody(serializers.Serializer):
    type = serializers.CharField(help_text="The kind of event, or `test`.")
    timestamp = serializers.DateTimeField(allow_null=True, help_text="When it happened.")
    contest = serializers.CharField(help_text="The contest's name in addresses.")
    data = EntryBody()  # type: ignore[assignment]


class ToldNewsBody(serializers.Serializer):
    id = serializers.CharField(help_text="The same for the same news of a contest.")
    at = serializers.DateTimeField(help_text="When it became known.")
    kind = serializers.ChoiceField(following.KINDS)
    title = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    stage = serializers.IntegerField(allow_null=True)
    match = serializers.IntegerField(allow_null=True)
    page = serializers.URLField()


class NewsMessageBody(serializers.Serializer):
    type = serializers.CharField(help_text="The kind of news, or `test`.")
    timestamp = serializers.DateTimeField(help_text="When it became known.")
    contest = serializers.CharField(allow_null=True, help_text="The contest's name in addresses. None: a test.")
    data = ToldNewsBody()  # type: ignore[assignment]


message = OpenApiWebhook(
    name="entry",
    decorator=extend_schema(
        summary="An entry of the ledger",
        description=(
            "What your server gets, signed by the headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. "
            "With the type `test`, `data` names the webhook and who asked for the test."
        ),
        tags=["webhooks"],
        request=MessageBody,
        responses={"2XX": OpenApiResponse(description="Accepted. Anything else is tried again.")},
    ),
)
news = OpenApiWebhook(
    name="news",
    decorator=extend_schema(
        summary="News of what you follow",
        description="What the server of a follower gets, signed in the same way.",
        tags=["webhooks"],
        request=NewsMessageBody,
        responses={"2XX": OpenApiResponse(description="Accepted. Anything else is tried again.")},
    ),
)
"""For the schema (SPECTACULAR_SETTINGS)."""


class Webhooks(ApiView):
    """What all have in common: the webhook that the address names, among those of `owner`."""

    tag = "webhooks"
    of: ClassVar[str]
    """A part of the names of the addresses."""

    @property
    def owner(self) -> Owner:
        raise NotImplementedError

    @property
    def webhook(self) -> Webhook:
        return self.owner.get(self.kwargs["webhook_id"])

    @property
    def delivery(self) -> Delivery:
        return delivery_of(self.webhook, self.kwargs["delivery_id"])

    def answer(self, pk: int, status: int = 200, **more: Any) -> Response:
        where = {**self.kwargs, "webhook_id": pk}
        headers = {"Location": reverse(f"api-{self.of}-webhooks-one", kwargs=where)} if status == 201 else {}
        return Response({**self.told(WebhookBody, self.owner.get(pk)), **more}, status, headers=headers)


class ListView(Webhooks):
    @extend_schema(summary="The webhooks", responses=WebhookBody(many=True))
    def get(self, request: Request, **named: object) -> Response:
        return Response(self.told(WebhookBody, self.owner.webhooks, many=True))

    @extend_schema(
        summary="Create a webhook",
        description="It tells what happens from now on. The answer has the secret with which messages are signed.",
        request=GivenWebhookBody,
        responses={201: NewWebhookBody},
    )
    def post(self, request: Request, **named: object) -> Response:
        fields = filled(self.owner.form(typed(request)))
        made = self.owner.create(self.person, **fields)
        return self.answer(made.pk, 201, secret=made.secret)


class OneView(Webhooks):
    @extend_schema(summary="A webhook", responses=WebhookBody)
    def get(self, request: Request, **named: object) -> Response:
        return self.answer(self.kwargs["webhook_id"])

    @extend_schema(summary="Change a webhook", request=ChangedWebhookBody, responses=WebhookBody)
    def patch(self, request: Request, **named: object) -> Response:
        webhook, form = self.webhook, self.owner.form
        fields = filled(form(completed(typed(request), webhook, form), instance=Webhook()))
        changes.edit(webhook, self.person, **fields)
        return self.answer(self.kwargs["webhook_id"])

    @extend_schema(summary="Delete a webhook", description="With all its messages.", responses={204: None})
    def delete(self, request: Request, **named: object) -> Response:
        changes.delete(self.webhook, self.person)
        return Response(status=204)


class TestView(Webhooks):
    @extend_schema(
        summary="Send a test",
        description="At once and once only, even if the webhook is off. Read the delivery to see what came of it.",
        request=None,
        responses={202: DeliveryBody},
    )
    def post(self, request: Request, **named: object) -> Response:
        return Response(self.told(DeliveryBody, changes.test(self.webhook, self.person)), 202)


class SecretView(Webhooks):
    @extend_schema(
        summary="Make a new secret",
        description="For a day, messages are signed with the old one as well.",
        request=None,
        responses=NewWebhookBody,
    )
    def post(self, request: Request, **named: object) -> Response:
        return self.answer(self.kwargs["webhook_id"], secret=changes.rotate(self.webhook, self.person))


class OffView(Webhooks):
    @extend_schema(summary="Switch a webhook off", request=None, responses=WebhookBody)
    def post(self, request: Request, **named: object) -> Response:
        changes.off(self.webhook, self.person)
        return self.answer(self.kwargs["webhook_id"])


class OnView(Webhooks):
    @extend_schema(
        summary="Switch a webhook on",
        description="It goes on where it stopped. You are responsible for it from now on.",
        request=None,
        responses=WebhookBody,
    )
    def post(self, request: Request, **named: object) -> Response:
        changes.on(self.webhook, self.person)
        return self.answer(self.kwargs["webhook_id"])


class RedeliverView(Webhooks):
    @extend_schema(
        summary="Send again what was sent since a time",
        description="In the same order and with the same ids, after what is waiting. Messages are kept for seven days.",
        request=SinceBody,
        responses=CountBody,
    )
    def post(self, request: Request, **named: object) -> Response:
        since = filled(SinceForm(typed(request)))["since"]
        return Response({"messages": changes.redeliver_since(self.webhook, self.person, since)})


class SkipView(Webhooks):
    @extend_schema(summary="Never send what is waiting", request=None, responses=CountBody)
    def post(self, request: Request, **named: object) -> Response:
        return Response({"messages": changes.skip_all(self.webhook, self.person)})


class DeliveriesView(Webhooks):
    pagination_class = NewestFirst

    @extend_schema(
        summary="The messages of a webhook",
        parameters=[OpenApiParameter("state", str, enum=Delivery.State.values)],
        responses=DeliveryBody(many=True),
    )
    def get(self, request: Request, **named: object) -> Response:
        found = following.readable(self.webhook).defer("payload", "answer")
        if state := request.query_params.get("state", ""):
            if state not in Delivery.State.values:
                raise wrong("state", f"A message is {', '.join(Delivery.State.values)}, not “{state}”.")
            found = found.filter(state=state)
        return self.piece(DeliveryBody, found)


class DeliveryView(Webhooks):
    @extend_schema(summary="A message, with request and answer", responses=WholeDeliveryBody)
    def get(self, request: Request, **named: object) -> Response:
        return Response(self.told(WholeDeliveryBody, self.delivery))


class DeliveryAgainView(Webhooks):
    @extend_schema(
        summary="Send a message again", description="With the same id.", request=None, responses={202: DeliveryBody}
    )
    def post(self, request: Request, **named: object) -> Response:
        delivery = self.delivery
        again = changes.redeliver(delivery.webhook, self.person, delivery)
        return Response(self.told(DeliveryBody, again), 202)


class DeliverySkipView(Webhooks):
    @extend_schema(
        summary="Skip a waiting message", description="It is never sent.", request=None, responses=DeliveryBody
    )
    def post(self, request: Request, **named: object) -> Response:
        delivery = self.delivery
        changes.skip(delivery.webhook, self.person, delivery)
        delivery.refresh_from_db()
        return Response(self.told(DeliveryBody, delivery))


class OfTeam(MemberView, Webhooks):
    """For members of a team."""

    of = "team"

    @property
    def owner(self) -> Owner:
        return Owner(self.contest, self.team)


class OfDesk(OrganiserView, Webhooks):
    """For organisers, not for judges: addresses of webhooks often contain keys."""

    tag = Webhooks.tag
    of = "desk"

    @property
    def owner(self) -> Owner:
        return Owner(self.contest)


class OfFollower(Webhooks):
    """For a person who follows."""

    of = "following"
    scope = Scope.TEAM

    @property
    def owner(self) -> Owner:
        return Owner(follower=self.person)


OF_FOLLOWER: dict[str, dict[str, Any]] = {
    "list": {"post": extend_schema(request=GivenNewsWebhookBody)},
    "one": {"patch": extend_schema(request=ChangedNewsWebhookBody)},
}
"""What the schema says otherwise of a follower's, by the names of addresses."""
