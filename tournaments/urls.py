"""Addresses of stages, matches, replays and standings."""

from django.urls import path

from tournaments.pages import downloads, matches, pairs, programs, replays, stages, standings, teams

urlpatterns = [
    path("c/<slug:slug>/bracket/<int:stage_id>/", stages.stage, name="bracket"),
    path("c/<slug:slug>/standings/", standings.standings, name="standings"),
    path("c/<slug:slug>/standings.csv", downloads.standings_csv, name="standings-csv"),
    path("c/<slug:slug>/matches.csv", downloads.matches_csv, name="matches-csv"),
    path("c/<slug:slug>/matches/", matches.matches, name="matches"),
    path("c/<slug:slug>/teams/<int:team_id>/", teams.team, name="team"),
    path("c/<slug:slug>/teams/<int:team_id>/<int:other_id>/", pairs.pair, name="pair"),
    path("c/<slug:slug>/teams/<int:team_id>/program/", programs.program, name="program"),
    *(
        path(
            f"c/<slug:slug>/teams/<int:team_id>/program/{act}/",
            programs.program_act,
            {"act": act},
            name=f"program-{act}",
        )
        for act in ("address", "token")
    ),
    path("m/<int:match_id>/", matches.match, name="match"),
    path("m/<int:match_id>/record.json", replays.record, name="record"),
    path("m/<int:match_id>/fault/<int:seat>/", replays.fault, name="fault"),
    path("m/<int:match_id>/<int:game>/", replays.replay, name="replay"),
    path("m/<int:match_id>/<int:game>/<str:name>", replays.game_log, name="game-log"),
]
