"""Announcements, the questions of teams, and messages to them."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import contests, questions
from contest.api.desk.views import DeskView, OrganiserView
from contest.api.forms import as_serializer, completed, filled, typed
from contest.api.paging import NewestFirst
from contest.api.questions import STATE, AnnouncementBody, in_state
from contest.api.views import NameField
from contest.forms import AnnouncementForm, AnswerForm, NoticeForm
from contest.models import Announcement, Question
from contest.models.news import QuestionQuerySet
from contest.words import number_in

NewAnnouncementBody = as_serializer(AnnouncementForm, "NewAnnouncementBody")
ChangedAnnouncementBody = as_serializer(AnnouncementForm, "ChangedAnnouncementBody")
NewNoticeBody = as_serializer(NoticeForm, "NewNoticeBody")


class DeskQuestionBody(serializers.Serializer):
    id = serializers.IntegerField()
    team_id = serializers.IntegerField()
    team = serializers.CharField(source="team.name")
    subject = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    is_notice = serializers.BooleanField(help_text="Whether the team was told this unasked.")
    asked_by = NameField(allow_blank=True)
    asked_at = serializers.DateTimeField()
    answer = serializers.CharField(allow_blank=True, help_text="Markdown.")
    answered_by = NameField(allow_blank=True)
    answered_at = serializers.DateTimeField(allow_null=True, help_text="Send it as `seen` to change the answer.")
    to_all = serializers.BooleanField(help_text="Whether everyone can read it, without the team's name.")


class AnswerBody(serializers.Serializer):
    answer = serializers.CharField(max_length=10_000, help_text="Markdown.")
    to_all = serializers.BooleanField(required=False, help_text="Show it to everyone, without the team's name.")
    seen = serializers.DateTimeField(
        required=False,
        allow_null=True,
        help_text="To change an answer: its `answered_at`. If somebody else has answered since, this is refused.",
    )


# Announcements --------------------------------------------------------------------------------------------------------


class DeskAnnouncementsView(DeskView):
    tag = "desk news"

    @extend_schema(summary="Post an announcement", request=NewAnnouncementBody, responses={201: AnnouncementBody})
    def post(self, request: Request, slug: str) -> Response:
        posted = contests.announce(self.contest, self.person, **filled(AnnouncementForm(typed(request))))
        return self.created(self.told(AnnouncementBody, posted), "api-desk-announcement", posted.pk)


class DeskAnnouncementView(OrganiserView):
    tag = "desk news"

    def announcement(self, pk: int) -> Announcement:
        found: Announcement = get_object_or_404(self.contest.announcements.select_related("posted_by"), pk=pk)
        found.contest = self.contest
        return found

    @extend_schema(summary="An announcement", responses=AnnouncementBody)
    def get(self, request: Request, slug: str, announcement_id: int) -> Response:
        return Response(self.told(AnnouncementBody, self.announcement(announcement_id)))

    @extend_schema(summary="Change an announcement", request=ChangedAnnouncementBody, responses=AnnouncementBody)
    def patch(self, request: Request, slug: str, announcement_id: int) -> Response:
        found = self.announcement(announcement_id)
        fields = filled(AnnouncementForm(completed(typed(request), found, AnnouncementForm)))
        contests.change_announcement(found, self.person, **fields)
        return Response(self.told(AnnouncementBody, found))

    @extend_schema(summary="Withdraw an announcement", responses={204: None})
    def delete(self, request: Request, slug: str, announcement_id: int) -> Response:
        contests.withdraw_announcement(self.announcement(announcement_id), self.person)
        return Response(status=204)


# Questions ------------------------------------------------------------------------------------------------------------


class OfQuestions(DeskView):
    tag = "desk news"

    def questions(self) -> QuestionQuerySet:
        return self.contest.questions.select_related("team", "asked_by", "answered_by")

    def question(self, pk: int) -> Question:
        found: Question = get_object_or_404(self.questions(), pk=pk)
        found.contest = self.contest
        return found

    def one(self, pk: int) -> dict[str, Any]:
        told: dict[str, Any] = self.told(DeskQuestionBody, self.question(pk))
        return told


class DeskQuestionsView(OfQuestions):
    pagination_class = NewestFirst

    @extend_schema(
        summary="All questions of the teams, and what they were told",
        responses=DeskQuestionBody(many=True),
        parameters=[
            STATE,
            OpenApiParameter("team", int, description="Its id."),
        ],
    )
    def get(self, request: Request, slug: str) -> Response:
        found = in_state(self.questions(), request)
        if asked := request.query_params.get("team", ""):
            found = found.filter(team=number_in(asked) or 0)
        return self.piece(DeskQuestionBody, found)


class DeskQuestionView(OfQuestions):
    @extend_schema(summary="A question with its answer", responses=DeskQuestionBody)
    def get(self, request: Request, slug: str, question_id: int) -> Response:
        return Response(self.one(question_id))


class AnswerView(OfQuestions):
    @extend_schema(
        summary="Answer a question, or change the answer or the message",
        request=AnswerBody,
        responses=DeskQuestionBody,
    )
    def post(self, request: Request, slug: str, question_id: int) -> Response:
        question = self.question(question_id)
        data = filled(AnswerForm(question, typed(request)))  # type: ignore[arg-type]
        to_all = data.get("to_all", False)
        questions.answer(question, self.person, data["answer"], to_all=to_all, seen=data["seen"])
        return Response(self.one(question_id))


class NoticesView(OfQuestions):
    @extend_schema(summary="Write to one team", request=NewNoticeBody, responses={201: DeskQuestionBody})
    def post(self, request: Request, slug: str) -> Response:
        data = filled(NoticeForm(self.contest, typed(request)))
        notice = questions.tell(data["team"], self.person, data["subject"], data["text"])
        return self.created(self.one(notice.pk), "api-desk-question", notice.pk)
