"""The rules of a contest, its languages and limits, and its starter kits."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import languages, markdown
from contest.api.games import LanguageBody
from contest.api.views import ContestView
from contest.setup_forms import option_label
from contest.views import kit_file, kits_of
from games import kits


class OptionBody(serializers.Serializer):
    name = serializers.CharField()
    label = serializers.CharField(help_text="As the pages call it.")  # type: ignore[assignment]
    value = serializers.JSONField()


class KitBody(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    address = serializers.URLField(help_text="A ZIP file.")


class RulesBody(serializers.Serializer):
    game = serializers.CharField()
    title = serializers.CharField()
    markdown = serializers.CharField(help_text="The text of the rules.")
    html = serializers.CharField(help_text="The same as HTML, as the page shows it.")
    options = OptionBody(many=True, help_text="The text of the rules has the same values.")
    kits = KitBody(many=True, help_text="Starter kits for the languages of this contest, and one with all languages.")


class ContestLanguageBody(LanguageBody):
    toolchain = serializers.CharField(allow_blank=True, help_text="The version of its compiler or interpreter.")
    fits = serializers.BooleanField(help_text="Whether the memory limit is enough for an empty program.")


class ContestLanguagesBody(serializers.Serializer):
    """What a bot can be written in, and its limits."""

    languages = ContestLanguageBody(many=True)
    memory_mb = serializers.IntegerField()
    startup_seconds = serializers.FloatField()
    source_kb = serializers.IntegerField()
    uploads_per_hour = serializers.IntegerField()
    one_file = serializers.BooleanField(help_text="Whether a version is one source file, and never a folder.")
    needs_strategy = serializers.BooleanField(help_text="Whether an upload must include a text about the strategy.")


LIMITS = ("memory_mb", "startup_seconds", "source_kb", "uploads_per_hour", "one_file", "needs_strategy")


class RulesView(ContestView):
    tag = "rules"

    @extend_schema(summary="The rules", responses=RulesBody)
    def get(self, request: Request, slug: str) -> Response:
        game = self.contest.game
        text = self.contest.rules_text()
        return Response(
            {
                "game": game.slug,
                "title": game.title,
                "markdown": text,
                "html": markdown.document(text).html,
                "options": [
                    {"name": name, "label": option_label(game, name), "value": value}
                    for name, value in self.contest.full_options().items()
                ],
                "kits": self.kits(),
            }
        )

    def kits(self) -> list[dict[str, Any]]:
        offered = kits_of(self.contest)
        full = offered["full_kit"]
        named = [*offered["kits"], *([(full, kits.kit_title(full))] if full else [])]
        return [
            {
                "name": name,
                "title": title,
                "address": self.request.build_absolute_uri(reverse("api-kit", args=[self.contest.slug, name])),
            }
            for name, title in named
        ]


class KitView(ContestView):
    tag = "rules"

    @extend_schema(summary="A starter kit", responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, slug: str, name: str) -> HttpResponse:
        return kit_file(self.contest, name)


class ContestLanguagesView(ContestView):
    tag = "rules"

    @extend_schema(summary="The languages and limits for bots", responses=ContestLanguagesBody)
    def get(self, request: Request, slug: str) -> Response:
        contest = self.contest
        allowed = languages.known(contest.languages or list(languages.table()))
        return Response(
            {
                "languages": [
                    {
                        **self.told(LanguageBody, it),
                        "toolchain": it.toolchain(),
                        "fits": it.memory_floor <= contest.memory_mb * languages.MEGABYTE,
                    }
                    for it in allowed
                ],
                **{name: getattr(contest, name) for name in LIMITS},
            }
        )
