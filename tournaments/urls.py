"""Addresses of the tournaments: stages, matches, replays, standings."""

from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []
