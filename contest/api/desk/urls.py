"""Addresses of the API for organisers about the contest and its people."""

from django.urls import path

from contest.api.desk import audit_log, news, people, settings, teams

DESK = "contests/<slug:slug>/desk"
TEAM = f"{DESK}/teams/<int:team_id>"

urlpatterns = [
    path(f"{DESK}/settings", settings.SettingsView.as_view(), name="api-desk-settings"),
    path(f"{DESK}/end", settings.EndView.as_view(), name="api-desk-end"),
    path(f"{DESK}/reopen", settings.ReopenView.as_view(), name="api-desk-reopen"),
    path(f"{DESK}/delete", settings.DeleteView.as_view(), name="api-desk-delete"),
    path(f"{DESK}/roles", people.RolesView.as_view(), name="api-desk-roles"),
    path(f"{DESK}/roles/leave", people.LeaveView.as_view(), name="api-desk-leave"),
    path(f"{DESK}/roles/<int:role_id>", people.OneRoleView.as_view(), name="api-desk-role"),
    path(f"{DESK}/spectator-link", people.SpectatorLinkView.as_view(), name="api-desk-spectator-link"),
    path(f"{DESK}/teams", teams.DeskTeamsView.as_view(), name="api-desk-teams"),
    path(f"{DESK}/teams/approve-waiting", teams.DECIDE_MANY["approve"].as_view(), name="api-desk-teams-approve"),
    path(f"{DESK}/teams/refuse-waiting", teams.DECIDE_MANY["refuse"].as_view(), name="api-desk-teams-refuse"),
    path(f"{DESK}/teams/import", teams.ImportView.as_view(), name="api-desk-teams-import"),
    path(f"{DESK}/teams/codes", teams.CodesView.as_view(), name="api-desk-codes"),
    path(f"{DESK}/teams/seeds", teams.SeedsView.as_view(), name="api-desk-seeds"),
    path(TEAM, teams.DeskTeamView.as_view(), name="api-desk-team"),
    path(f"{TEAM}/approve", teams.ApproveView.as_view(), name="api-desk-team-approve"),
    path(f"{TEAM}/refuse", teams.RefuseView.as_view(), name="api-desk-team-refuse"),
    path(f"{TEAM}/uploads", teams.UploadsView.as_view(), name="api-desk-team-uploads"),
    path(f"{TEAM}/code", teams.ChangeCodeView.as_view(), name="api-desk-team-code"),
    path(f"{DESK}/announcements", news.DeskAnnouncementsView.as_view(), name="api-desk-announcements"),
    path(
        f"{DESK}/announcements/<int:announcement_id>",
        news.DeskAnnouncementView.as_view(),
        name="api-desk-announcement",
    ),
    path(f"{DESK}/questions", news.DeskQuestionsView.as_view(), name="api-desk-questions"),
    path(f"{DESK}/questions/<int:question_id>", news.DeskQuestionView.as_view(), name="api-desk-question"),
    path(f"{DESK}/questions/<int:question_id>/answer", news.AnswerView.as_view(), name="api-desk-answer"),
    path(f"{DESK}/notices", news.NoticesView.as_view(), name="api-desk-notices"),
    path(f"{DESK}/audit-log", audit_log.AuditLogView.as_view(), name="api-desk-audit-log"),
]
