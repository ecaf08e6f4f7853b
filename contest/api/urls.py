"""Addresses of the API about contests, teams and people, and of its description."""

from django.urls import path
from drf_spectacular.views import SpectacularJSONAPIView, SpectacularSwaggerSplitView
from rest_framework.permissions import AllowAny

from contest.api import contests, own_team, questions, rules, teams

MEMBER = "contests/<slug:slug>/team/members/<int:member>"

OPEN = {"authentication_classes": (), "permission_classes": (AllowAny,), "throttle_classes": ()}
DOCUMENTATION = {"url_name": "api-schema", "template_name": "contest/api_documentation.html", **OPEN}

urlpatterns = [
    path("schema", SpectacularJSONAPIView.as_view(**OPEN), name="api-schema"),
    path("", SpectacularSwaggerSplitView.as_view(**DOCUMENTATION), name="api"),
    path("games", rules.GamesView.as_view(), name="api-games"),
    path("languages", rules.LanguagesView.as_view(), name="api-languages"),
    path("me", contests.MeView.as_view(), name="api-me"),
    path("contests", contests.ContestsView.as_view(), name="api-contests"),
    path("contests/<slug:slug>", contests.ContestDetailView.as_view(), name="api-contest"),
    path("contests/<slug:slug>/teams", teams.TeamsView.as_view(), name="api-teams"),
    path("contests/<slug:slug>/teams/join", own_team.JoinView.as_view(), name="api-join"),
    path("contests/<slug:slug>/teams/<int:team_id>", teams.TeamView.as_view(), name="api-team"),
    path("contests/<slug:slug>/team", own_team.OwnTeamView.as_view(), name="api-own-team"),
    path("contests/<slug:slug>/team/leave", own_team.LeaveView.as_view(), name="api-team-leave"),
    path("contests/<slug:slug>/team/withdraw", own_team.WithdrawView.as_view(), name="api-team-withdraw"),
    path("contests/<slug:slug>/team/reenter", own_team.ReenterView.as_view(), name="api-team-reenter"),
    path("contests/<slug:slug>/team/code", own_team.CodeView.as_view(), name="api-team-code"),
    path(f"{MEMBER}/captain", own_team.MakeCaptainView.as_view(), name="api-member-captain"),
    path(f"{MEMBER}/remove", own_team.RemoveView.as_view(), name="api-member-remove"),
    path("contests/<slug:slug>/announcements", questions.AnnouncementsView.as_view(), name="api-announcements"),
    path("contests/<slug:slug>/questions", questions.QuestionsView.as_view(), name="api-questions"),
    path("contests/<slug:slug>/questions/<int:question_id>", questions.QuestionView.as_view(), name="api-question"),
    path("contests/<slug:slug>/rules", rules.RulesView.as_view(), name="api-rules"),
    path("contests/<slug:slug>/languages", rules.ContestLanguagesView.as_view(), name="api-contest-languages"),
    path("contests/<slug:slug>/kits/<slug:name>", rules.KitView.as_view(), name="api-kit"),
]
