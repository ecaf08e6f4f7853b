"""The games, their presets and the languages of this portal; the rules of a contest, its languages, limits and kits."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import languages, markdown
from contest.api.views import ApiView, ContestView
from contest.setup_forms import option_label
from contest.views import kit_file, kits_of
from games import GAMES, kits
from games.engine import Game


class PresetBody(serializers.Serializer):
    key = serializers.CharField(help_text="`game:preset`, as a new contest names it.")
    name = serializers.CharField()
    title = serializers.CharField()


class GameBody(serializers.Serializer):
    slug = serializers.CharField()
    title = serializers.CharField()
    protocol = serializers.CharField(help_text="How a bot is spoken to.")
    tagline = serializers.CharField()
    fewest_seats = serializers.IntegerField()
    most_seats = serializers.IntegerField()
    presets = PresetBody(many=True)
    kits = serializers.ListField(child=serializers.CharField(), help_text="Languages with a starter kit.")
    languages = serializers.ListField(
        child=serializers.CharField(), help_text="Languages that organisers can allow: workers have proven them."
    )
    not_offered = serializers.DictField(
        child=serializers.CharField(), help_text="Why organisers cannot allow the other languages, by slug."
    )
    house = serializers.ListField(child=serializers.CharField(), help_text="The game's own players, from the weakest.")


class MemoryField(serializers.IntegerField):
    def to_representation(self, value: int) -> int:
        return -(-value // languages.MEGABYTE)


class LanguageBody(serializers.Serializer):
    slug = serializers.CharField()
    name = serializers.CharField()
    extensions = serializers.ListField(child=serializers.CharField())
    least_memory_mb = MemoryField(source="memory_floor", help_text="With less, not even an empty program runs.")
    installed = serializers.BooleanField(help_text="Whether the machine that answers can build it.")


def game_body(game: Game) -> dict[str, Any]:
    refused = languages.refusals(game)
    return {
        "slug": game.slug,
        "title": game.title,
        "protocol": game.protocol,
        "tagline": game.summary,
        "fewest_seats": game.seats[0],
        "most_seats": game.seats[1],
        "presets": [{"key": f"{game.slug}:{it.name}", "name": it.name, "title": it.title} for it in game.presets],
        "kits": [name for name in kits.kit_names(game) if name != kits.ALL],
        "languages": [slug for slug in languages.table() if slug not in refused],
        "not_offered": {slug: it.sentence for slug, it in refused.items()},
        "house": [house.name for house in game.house],
    }


class GamesView(ApiView):
    tag = "games"

    @extend_schema(responses=GameBody(many=True), summary="The games")
    def get(self, request: Request) -> Response:
        return Response([game_body(game) for game in GAMES.values()])


class LanguagesView(ApiView):
    tag = "games"

    @extend_schema(responses=LanguageBody(many=True), summary="The languages for bots")
    def get(self, request: Request) -> Response:
        return Response(self.told(LanguageBody, languages.table().values(), many=True))


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
                "address": self.address("api-kit", name),
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
