"""Announcements, and questions with their answers."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import questions
from contest.api.forms import as_serializer, filled, typed
from contest.api.paging import NewestFirst
from contest.api.problems import wrong
from contest.api.views import ContestView, NameField, has_scope
from contest.forms import QuestionForm
from contest.models import Question, Scope, Team
from contest.models.news import QuestionQuerySet
from contest.permissions import Access


class AnnouncementBody(serializers.Serializer):
    id = serializers.IntegerField()
    title = serializers.CharField()
    text = serializers.CharField(allow_blank=True, help_text="Markdown.")
    posted_at = serializers.DateTimeField()
    posted_by = NameField(allow_blank=True)


class IsYoursField(serializers.BooleanField):
    def get_attribute(self, instance: Question) -> bool:
        team = self.context["view"].team
        return team is not None and instance.team_id == team.pk


class QuestionBody(serializers.Serializer):
    id = serializers.IntegerField()
    subject = serializers.CharField()
    text = serializers.CharField(allow_blank=True, help_text="Blank for a message from the organisers to your team.")
    answer = serializers.CharField(allow_blank=True, help_text="Markdown.")
    answered_at = serializers.DateTimeField(allow_null=True)
    to_all = serializers.BooleanField(help_text="Whether everyone can read it, without the team's name.")
    is_yours = IsYoursField(help_text="Whether your team asked, or was told.")
    asked_by = NameField(allow_blank=True, help_text="Told to the team alone.")
    asked_at = serializers.DateTimeField(allow_null=True, help_text="Told to the team alone.")

    def to_representation(self, instance: Question) -> dict[str, Any]:
        told = super().to_representation(instance)
        return told if told["is_yours"] else told | {"asked_by": "", "asked_at": None}


NewQuestionBody = as_serializer(QuestionForm, "NewQuestionBody")


STATE = OpenApiParameter("state", str, enum=["waiting", "answered"])


def in_state(found: QuestionQuerySet, request: Request) -> QuestionQuerySet:
    """Those in the state that STATE asks for. Raises Problem."""
    match request.query_params.get("state", ""):
        case "waiting":
            return found.waiting()
        case "answered":
            return found.answered()
        case "":
            return found
        case other:
            raise wrong("state", f"A question is “waiting” or “answered”, not “{other}”.")


class AnnouncementsView(ContestView):
    tag = "news"
    pagination_class = NewestFirst

    @extend_schema(summary="The announcements", responses=AnnouncementBody(many=True))
    def get(self, request: Request, slug: str) -> Response:
        return self.piece(AnnouncementBody, self.contest.announcements.select_related("posted_by"))


class Heard(ContestView):
    """What the reader may read: answers to everyone, and with the scope `team` everything of their own team."""

    tag = "news"

    @property
    def team(self) -> Team | None:
        here: Access = self.access
        return here.team if has_scope(self.request, Scope.TEAM) else None

    def heard(self) -> QuestionQuerySet:
        return self.contest.questions.heard_by(self.team).select_related("asked_by")


class QuestionsView(Heard):
    acting_scope = Scope.TEAM
    pagination_class = NewestFirst

    @extend_schema(
        summary="Answers to everyone, and what your team asked or was told",
        description="Reading them here leaves them marked as new on the pages.",
        responses=QuestionBody(many=True),
        parameters=[STATE],
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.piece(QuestionBody, in_state(self.heard(), request))

    @extend_schema(
        summary="Ask the organisers a question",
        description="For members of a team.",
        request=NewQuestionBody,
        responses={201: QuestionBody},
    )
    def post(self, request: Request, slug: str) -> Response:
        team = self.own_team()
        question = questions.ask(team, self.person, **filled(QuestionForm(typed(request))))
        return self.created(self.told(QuestionBody, question), "api-question", question.pk)


class QuestionView(Heard):
    @extend_schema(summary="A question with its answer", responses=QuestionBody)
    def get(self, request: Request, slug: str, question_id: int) -> Response:
        return Response(self.told(QuestionBody, get_object_or_404(self.heard(), pk=question_id)))
