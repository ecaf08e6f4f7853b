"""Addresses of stages, matches, replays and standings."""

from django.urls import path

from tournaments.pages import (
    casual,
    casual_from,
    casual_moves,
    downloads,
    embeds,
    following,
    from_here,
    front,
    matches,
    metrics,
    notes,
    pairs,
    people,
    practice,
    programs,
    replays,
    stages,
    standings,
    teams,
    trials,
    webhooks,
)

WEBHOOKS = "c/<slug:slug>/my/webhooks/"
DELIVERY = f"{WEBHOOKS}<int:webhook_id>/deliveries/<int:delivery_id>/"
FOLLOWING = "following/webhooks/"
NEWS = f"{FOLLOWING}<int:webhook_id>/deliveries/<int:delivery_id>/"
PRACTICE = "c/<slug:slug>/practice/"
GAME = f"{PRACTICE}<int:order_id>/<int:game>/"
TRIALS = "c/<slug:slug>/trials/"

TABLE = "play/<int:pk>/"

urlpatterns = [
    path("metrics", metrics.metrics, name="metrics"),
    path("play/join/", casual_moves.join_by_code, name="casual-code"),
    path("play/from/", casual_from.play_from, name="casual-from"),
    path(f"{TABLE}move/", casual_moves.move, name="casual-move"),
    path(f"{TABLE}join/", casual_moves.join, name="casual-join"),
    path(f"{TABLE}begin/", casual_moves.begin, name="casual-begin"),
    path(f"{TABLE}leave/", casual_moves.leave, name="casual-leave"),
    path(f"{TABLE}again/", casual_moves.again, name="casual-again"),
    path(f"{TABLE}state/", casual_moves.state, name="casual-state"),
    path(f"{TABLE}live/", casual_moves.live, name="casual-live"),
    path(f"{TABLE}record.json", casual_moves.record, name="casual-record"),
    path(f"{TABLE}replay/<int:game>/", casual_moves.replay, name="casual-replay"),
    path(f"{TABLE}replay/<int:game>/<str:name>", casual_moves.game_log, name="casual-log"),
    path("", front.home, name="home"),
    path("play/", casual.play, name="play"),
    path("play/new/", casual.play_new, name="play-new"),
    path("play/<int:pk>/", casual.table, name="casual-table"),
    path("play/<slug:game>/", casual.play_game, name="play-game"),
    path("people/<str:username>/", people.person, name="person"),
    path("following/", following.following, name="following"),
    path(FOLLOWING, webhooks.following_webhooks, name="following-webhooks"),
    path(f"{FOLLOWING}<int:webhook_id>/", webhooks.following_webhook, name="following-webhook"),
    path(f"{FOLLOWING}<int:webhook_id>/<slug:act>/", webhooks.following_webhook_act, name="following-webhook-act"),
    path(NEWS, webhooks.following_delivery, name="following-webhook-delivery"),
    path(f"{NEWS}<slug:act>/", webhooks.following_delivery_act, name="following-webhook-delivery-act"),
    path("following/<slug:act>/", following.following_act, name="following-act"),
    path("following/feed/<str:key>.atom", following.following_feed, name="following-feed"),
    path("following/unsubscribe/<str:word>/", following.unsubscribe, name="unsubscribe"),
    path("follow/", following.follow, name="follow"),
    path("c/<slug:slug>/news.atom", following.contest_feed, name="contest-feed"),
    path("c/<slug:slug>/teams/<int:team_id>/news.atom", following.team_feed, name="team-feed"),
    path("c/<slug:slug>/bracket/<int:stage_id>/", stages.stage, name="bracket"),
    path("c/<slug:slug>/bracket/<int:stage_id>/poster/", stages.poster, name="poster"),
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
    path(WEBHOOKS, webhooks.webhooks, name="webhooks"),
    path(f"{WEBHOOKS}<int:webhook_id>/", webhooks.webhook, name="webhook"),
    path(f"{WEBHOOKS}<int:webhook_id>/<slug:act>/", webhooks.webhook_act, name="webhook-act"),
    path(DELIVERY, webhooks.delivery, name="webhook-delivery"),
    path(f"{DELIVERY}<slug:act>/", webhooks.delivery_act, name="webhook-delivery-act"),
    path(PRACTICE, practice.practice, name="practice"),
    path(f"{PRACTICE}acceptance/", practice.practice_acceptance, name="practice-acceptance"),
    path(f"{PRACTICE}<int:order_id>/", practice.practice_order, name="practice-order"),
    path(f"{PRACTICE}<int:order_id>/cancel/", practice.practice_cancel, name="practice-cancel"),
    path(GAME, practice.practice_game, name="practice-game"),
    path(f"{PRACTICE}from/<int:order_id>/", from_here.answer, name="from-here"),
    path(f"{GAME}from/", from_here.ask_at_practice, name="from-practice"),
    path(f"{GAME}notes/", notes.write_at_practice, name="practice-note"),
    path(f"{GAME}record.json", practice.practice_record, name="practice-record"),
    path(f"{GAME}<str:name>", practice.practice_log, name="practice-log"),
    path(TRIALS, trials.trials_page, name="trials"),
    path(f"{TRIALS}<int:trial_id>/", trials.trial, name="trial"),
    path(f"{TRIALS}<int:trial_id>/cancel/", trials.trial_cancel, name="trial-cancel"),
    path(f"{TRIALS}<int:trial_id>/<int:number>/", trials.trial_pair, name="trial-pair"),
    path("m/<int:match_id>/", matches.match, name="match"),
    path("m/<int:match_id>/<int:game>/from/", from_here.ask_at_match, name="from-match"),
    path("m/<int:match_id>/<int:game>/notes/", notes.write_at_match, name="note-write"),
    path("notes/<int:note_id>/remove/", notes.remove, name="note-remove"),
    path("m/<int:match_id>/<int:game>/embed/", embeds.embed, name="embed"),
    path("m/<int:match_id>/record.json", replays.record, name="record"),
    path("m/<int:match_id>/match.zip", replays.bundled, name="match-zip"),
    path("m/<int:match_id>/fault/<int:seat>/", replays.fault, name="fault"),
    path("m/<int:match_id>/<int:game>/", replays.replay, name="replay"),
    path("m/<int:match_id>/<int:game>/<str:name>", replays.game_log, name="game-log"),
]
