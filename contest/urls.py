"""Every address of the portal. Names are global; the other apps bring their own, included here by name only."""

from django.urls import URLPattern, URLResolver, include, path, re_path

from contest import account_views, admin, desk_views, people_views, question_views, setup_views, team_views, views
from contest.api.problems import nothing_here
from contest.middleware import security_txt
from contest.server.probes import Ready, healthz

desk: list[URLPattern] = [
    path("teams/", desk_views.desk_teams, name="desk-teams"),
    path("teams.csv", desk_views.desk_teams_csv, name="desk-teams-csv"),
    path("teams/import/", desk_views.desk_teams_import, name="desk-teams-import"),
    path("teams/codes/", desk_views.desk_teams_codes, name="desk-teams-codes"),
    path("codes.csv", desk_views.desk_codes_csv, name="desk-codes-csv"),
    path("teams/<int:team_id>/", desk_views.desk_team, name="desk-team"),
    *(
        path(f"teams/<int:team_id>/{act}/", desk_views.desk_team_act, {"act": act}, name=f"desk-team-{act}")
        for act in ("approve", "refuse", "code")
    ),
    path("teams/<int:team_id>/uploads/", desk_views.desk_team_uploads, name="desk-team-uploads"),
    path("seeds/", desk_views.desk_seeds, name="desk-seeds"),
    path("people/", people_views.desk_people, name="desk-people"),
    path("people/leave/", people_views.desk_leave, name="desk-leave"),
    path("people/spectators/", people_views.desk_spectators, name="desk-spectators"),
    path("people/<int:role_id>/", people_views.desk_person, name="desk-person"),
    path("people/<int:role_id>/remove/", people_views.desk_person_remove, name="desk-person-remove"),
    path("announcements/", desk_views.desk_announcements, name="desk-announcements"),
    path("announcements/<int:announcement_id>/", desk_views.desk_announcement, name="desk-announcement"),
    path("questions/", question_views.desk_questions, name="desk-questions"),
    path("questions/<int:question_id>/", question_views.desk_question, name="desk-question"),
    path("audit-log/", desk_views.desk_audit_log, name="desk-audit-log"),
    path("settings/", setup_views.desk_settings, name="desk-settings"),
    path("end/", setup_views.desk_end, name="desk-end"),
    path("delete/", setup_views.desk_delete, name="desk-delete"),
]

contest: list[URLPattern | URLResolver] = [
    path("", views.contest, name="contest"),
    path("rules/", views.rules, name="rules"),
    path("kit/<slug:name>.zip", views.kit, name="kit"),
    path("teams/", views.teams, name="teams"),
    path("questions/", question_views.questions, name="questions"),
    path("enter/", views.enter, name="enter"),
    path("watch/<str:code>/", views.spectate, name="spectate"),
    path("my/team/", team_views.team_edit, name="team-edit"),
    path("my/team/<slug:act>/", team_views.team_act, name="team-act"),
    path("my/team/members/<int:member>/<slug:act>/", team_views.member_act, name="member-act"),
    path("desk/", include(desk)),
]

urlpatterns = [
    path("kibitz.pyz", views.kibitz, name="kibitz"),
    path("docs/", views.help_page, name="help"),
    path("docs/<path:name>", views.help_page, name="document"),
    path("favicon.ico", views.favicon, name="favicon"),
    path(".well-known/security.txt", security_txt, name="security-txt"),
    path("healthz", healthz, name="healthz"),
    path("readyz", Ready.as_view(), name="readyz"),
    path("accounts/", account_views.account, name="account"),
    path("accounts/export/", account_views.export, name="account-export"),
    path("accounts/delete/", account_views.delete, name="account-delete"),
    path("accounts/tokens/", account_views.tokens, name="tokens"),
    path("accounts/tokens/<int:token>/revoke/", account_views.token_revoke, name="token-revoke"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("contest.api.urls")),
    path("api/v1/", include("contest.api.desk.urls")),
    path("api/v1/", include("submissions.api.urls")),
    path("api/v1/", include("tournaments.api.urls")),
    path("api/v1/", include("tournaments.api.desk.urls")),
    re_path(r"^api/(?P<rest>.*)$", nothing_here, name="api-nothing"),
    path("c/new/", setup_views.contest_new, name="contest-new"),
    path("c/<slug:slug>/", include(contest)),
    path("", include("submissions.urls")),
    path("", include("tournaments.desk.urls")),
    path("", include("tournaments.urls")),
]

handler500 = "contest.api.problems.fault"
