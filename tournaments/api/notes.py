"""Notes at positions of replays: read them, write one, remove it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest.api.views import Address, ApiView, has_scope
from contest.models import Scope
from contest.permissions import Access, access
from contest.replay import Replay
from tournaments import notes
from tournaments.api.match import MatchAddress
from tournaments.api.practice import OrderAddress
from tournaments.models import Note
from tournaments.models.notes import LONGEST
from tournaments.notes import Audience, Place
from tournaments.view_models import practice
from tournaments.view_models.notes import place_of, who_wrote
from tournaments.view_models.replays import replay_of


class NewNoteBody(serializers.Serializer):
    text = serializers.CharField(max_length=LONGEST, help_text="Markdown.")
    ply = serializers.IntegerField(min_value=0, help_text="The position: the index of an event of the game.")
    audience = serializers.ChoiceField(Audience.choices, help_text="For whom; which are possible depends on you.")


class AuthorField(serializers.CharField):
    def get_attribute(self, instance: Note) -> str:
        return who_wrote(instance)


class MayRemoveField(serializers.BooleanField):
    def get_attribute(self, instance: Note) -> bool:
        view = self.context["view"]
        return notes.may_remove(view.reader, instance, view.request.user.pk)


class NoteBody(serializers.Serializer):
    id = serializers.IntegerField()
    ply = serializers.IntegerField()
    where = serializers.CharField(help_text="The position in words.")
    audience = serializers.ChoiceField(Audience.choices)
    text = serializers.CharField(help_text="Markdown.")
    by = AuthorField(help_text="The team, or “Organisers”.")
    team_id = serializers.IntegerField(allow_null=True)
    made_at = serializers.DateTimeField()
    page = Address(source="href", help_text="The replay at this position.")
    may_remove = MayRemoveField(help_text="Whether you may remove it.")


class NotesAddress(ApiView):
    """The notes of one game, for those who may see it."""

    as_member: ClassVar[Scope] = Scope.TEAM
    """Without this scope, a token does not make its owner a member here."""

    def place(self) -> Place:
        raise NotImplementedError

    def replay(self) -> Replay:
        """Raises LookupError if the game was not played."""
        raise NotImplementedError

    @cached_property
    def reader(self) -> Access:
        found = access(self.request._request, self.place().contest)
        return found if has_scope(self.request, self.as_member) else replace(found, membership=None)

    def listed(self) -> Response:
        self.replayed()
        return Response(self.told(NoteBody, notes.readable(self.reader, self.place()), many=True))

    def written(self) -> Response:
        body = NewNoteBody(data=self.request.data)
        body.is_valid(raise_exception=True)
        sent, replay = body.validated_data, self.replayed()
        ply = min(sent["ply"], replay.last)
        wish = notes.Wish(sent["text"], sent["audience"], ply, replay.where(ply))
        note = notes.write(self.reader, self.person, self.place(), wish)
        return Response(self.told(NoteBody, note), status=201)

    def replayed(self) -> Replay:
        try:
            return self.replay()
        except LookupError as error:
            raise Http404(str(error)) from error


class MatchNotesView(NotesAddress, MatchAddress):
    tag = "notes"
    acting_scope = (Scope.TEAM, Scope.DESK)

    def place(self) -> Place:
        return Place(self.match.contest, match=self.match, game=self.kwargs["game"])

    def replay(self) -> Replay:
        return replay_of(self.match, self.sight, self.kwargs["game"], None, "replay")

    @extend_schema(summary="The notes on a game that you may read", responses=NoteBody(many=True))
    def get(self, request: Request, match_id: int, game: int) -> Response:
        return self.listed()

    @extend_schema(summary="Write a note at a position", request=NewNoteBody, responses={201: NoteBody})
    def post(self, request: Request, match_id: int, game: int) -> Response:
        return self.written()


class PracticeNotesView(NotesAddress, OrderAddress):
    tag = "notes"
    as_member = Scope.BOT
    acting_scope = Scope.BOT

    def place(self) -> Place:
        return Place(self.contest, practice=practice.record_of(self.order, self.kwargs["game"]).game)

    def replay(self) -> Replay:
        return practice.replay_of(practice.record_of(self.order, self.kwargs["game"]), None)

    @extend_schema(summary="The notes on a practice game that you may read", responses=NoteBody(many=True))
    def get(self, request: Request, slug: str, order_id: int, game: int) -> Response:
        return self.listed()

    @extend_schema(summary="Write a note on a practice game", request=NewNoteBody, responses={201: NoteBody})
    def post(self, request: Request, slug: str, order_id: int, game: int) -> Response:
        return self.written()


class NoteAddress(ApiView):
    """A note that the reader may read."""

    tag = "notes"
    scope = tuple(Scope)
    note: Note
    reader: Access

    def prepare(self, request: Request) -> None:
        found = Note.objects.select_related("contest", "match", "practice__order", "team")
        self.note = get_object_or_404(found, pk=self.kwargs["note_id"])
        contest, place = place_of(request._request, self.note)
        self.reader = access(request._request, contest)
        as_member = Scope.TEAM if self.note.match_id else Scope.BOT
        if not has_scope(request, as_member):
            self.reader = replace(self.reader, membership=None)
        if not notes.readable(self.reader, place).filter(pk=self.note.pk).exists():
            raise Http404("no such note")


class RemoveNoteView(NoteAddress):
    @extend_schema(summary="Remove a note", request=None, responses={204: None})
    def post(self, request: Request, note_id: int) -> Response:
        notes.remove(self.reader, self.person, self.note)
        return Response(status=204)
