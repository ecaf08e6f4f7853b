"""Addresses of the API about contests, teams and people, and of its description."""

from django.urls import path

from contest.api import contests, documentation, games, teams

urlpatterns = [
    path("schema", documentation.SchemaView.as_view(), name="api-schema"),
    path("", documentation.DocumentationView.as_view(), name="api"),
    path("games", games.GamesView.as_view(), name="api-games"),
    path("languages", games.LanguagesView.as_view(), name="api-languages"),
    path("me", contests.MeView.as_view(), name="api-me"),
    path("contests", contests.ContestsView.as_view(), name="api-contests"),
    path("contests/<slug:slug>", contests.ContestDetailView.as_view(), name="api-contest"),
    path("contests/<slug:slug>/teams", teams.TeamsView.as_view(), name="api-teams"),
    path("contests/<slug:slug>/teams/<int:team_id>", teams.TeamView.as_view(), name="api-team"),
]
