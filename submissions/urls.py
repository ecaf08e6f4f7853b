"""Addresses of bots. A version has two: one for its team and one, with the team's id, for people with a role."""

from django.urls import include, path

from submissions import check_views, desk_builds, views

version = [
    path("", views.version, name="version"),
    path("source/", views.source, name="version-source"),
    path("download/", views.download, name="version-download"),
    path("strategy/", views.strategy, name="version-strategy"),
    path("diff/", views.diff, name="version-diff"),
    path("activate/", views.activate, name="version-activate"),
    path("recheck/", views.recheck, name="version-recheck"),
    path("check/<int:game>/", check_views.check_game, name="check-game"),
    path("check/<int:game>/<int:of>/", check_views.check_game, name="check-game-of"),
    path("check/<int:game>/<int:of>/game.log", check_views.check_log, name="check-log-of"),
    path("check/<int:game>/record.json", check_views.check_record, name="check-record"),
    path("check/<int:game>/game.log", check_views.check_log, name="check-log"),
]

urlpatterns = [
    path("c/<slug:slug>/my/", views.my_team, name="my-team"),
    path("c/<slug:slug>/my/withdraw/", views.withdraw, name="bot-withdraw"),
    path("c/<slug:slug>/my/<int:number>/", include(version)),
    path("c/<slug:slug>/teams/<int:team>/versions/<int:number>/", include(version)),
    path("c/<slug:slug>/teams/<int:team>/versions/withdraw/", views.withdraw, name="bot-withdraw"),
    path("c/<slug:slug>/desk/teams/<int:team>/upload/", desk_builds.upload_for_team, name="desk-team-upload"),
    path("c/<slug:slug>/desk/versions/", views.desk_versions, name="desk-versions"),
    path("c/<slug:slug>/desk/builds/", desk_builds.builds, name="desk-builds"),
    path("c/<slug:slug>/desk/builds/<int:team>/<int:number>/move-up/", desk_builds.move_up, name="build-move-up"),
    path("c/<slug:slug>/desk/builds/<int:team>/<int:number>/cancel/", desk_builds.cancel, name="build-cancel"),
]
