"""The games, their presets and kits, and the languages of this portal."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from contest import languages
from contest.api.views import ApiView
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
