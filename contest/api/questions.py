"""Announcements, and questions with their answers."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import questions
from contest.api.forms import as_serializer, filled, typed
from contest.api.paging import NewestFirst
from contest.api.problems import wrong
from contest.api.views import ContestView, has_scope
from contest.forms import QuestionForm
from contest.models import Announcement, Question, Scope, Team
from contest.models.news import QuestionQuerySet
from contest.permissions import Access


class AnnouncementBody(serializers.Serializer):
    id = serializers.IntegerField()
    title = serializers.CharField()
    text = serializers.CharField(allow_blank=True, help_text="Markdown.")
    posted_at = serializers.DateTimeField()
    posted_by = serializers.CharField(allow_blank=True)


class QuestionBody(serializers.Serializer):
    id = serializers.IntegerField()
    subject = serializers.CharField()
    text = serializers.CharField(allow_blank=True, help_text="Blank for a message from the organisers to your team.")
    answer = serializers.CharField(allow_blank=True, help_text="Markdown.")
    answered_at = serializers.DateTimeField(allow_null=True)
    to_all = serializers.BooleanField(help_text="Whether everyone can read it, without the team's name.")
    is_yours = serializers.BooleanField(help_text="Whether your team asked, or was told.")
    asked_by = serializers.CharField(allow_blank=True, help_text="Told to the team alone.")
    asked_at = serializers.DateTimeField(allow_null=True, help_text="Told to the team alone.")


NewQuestionBody = as_serializer(QuestionForm, "NewQuestionBody")


def announcement_body(announcement: Announcement) -> dict[str, Any]:
    return {
        "id": announcement.pk,
        "title": announcement.title,
        "text": announcement.text,
        "posted_at": announcement.posted_at,
        "posted_by": str(announcement.posted_by or ""),
    }


def question_body(question: Question, team: Team | None) -> dict[str, Any]:
    is_yours = team is not None and question.team_id == team.pk
    return {
        "id": question.pk,
        "subject": question.subject,
        "text": question.text,
        "answer": question.answer,
        "answered_at": question.answered_at,
        "to_all": question.to_all,
        "is_yours": is_yours,
        "asked_by": str(question.asked_by or "") if is_yours else "",
        "asked_at": question.asked_at if is_yours else None,
    }


class AnnouncementsView(ContestView):
    tag = "news"
    pagination_class = NewestFirst

    @extend_schema(summary="The announcements", responses=AnnouncementBody(many=True))
    def get(self, request: Request, slug: str) -> Response:
        pages = self.pagination_class()
        found = self.contest.announcements.select_related("posted_by")
        rows = pages.paginate_queryset(found, request, view=self) or []
        return pages.get_paginated_response([announcement_body(row) for row in rows])


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
        parameters=[OpenApiParameter("state", str, enum=["waiting", "answered"])],
    )
    def get(self, request: Request, slug: str) -> Response:
        found = self.heard()
        match request.query_params.get("state", ""):
            case "waiting":
                found = found.waiting()
            case "answered":
                found = found.answered()
            case "":
                pass
            case other:
                raise wrong("state", f"A question is “waiting” or “answered”, not “{other}”.")
        pages, team = self.pagination_class(), self.team
        rows = pages.paginate_queryset(found, request, view=self) or []
        return pages.get_paginated_response([question_body(row, team) for row in rows])

    @extend_schema(
        summary="Ask the organisers a question",
        description="For members of a team.",
        request=NewQuestionBody,
        responses={201: QuestionBody},
    )
    def post(self, request: Request, slug: str) -> Response:
        team = self.own_team()
        question = questions.ask(team, self.person, **filled(QuestionForm(typed(request))))
        headers = {"Location": reverse("api-question", args=[slug, question.pk])}
        return Response(question_body(question, team), 201, headers=headers)


class QuestionView(Heard):
    @extend_schema(summary="A question with its answer", responses=QuestionBody)
    def get(self, request: Request, slug: str, question_id: int) -> Response:
        question = self.heard().filter(pk=question_id).first()
        if question is None:
            raise Http404("There is no such question, or its answer is not for you.")
        return Response(question_body(question, self.team))
