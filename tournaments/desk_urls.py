"""Addresses of the organiser's desk about stages and matches."""

from django.urls import path

from tournaments import (
    desk,
    desk_clone,
    desk_data,
    desk_overview,
    desk_rehearsals,
    desk_reviews,
    desk_teams,
    desk_visibility,
)

STAGE = "c/<slug:slug>/desk/stages/<int:stage_id>/"
REVIEW = f"{STAGE}reviews/<int:review_id>/"
TEAM = "c/<slug:slug>/desk/teams/<int:team_id>/"

urlpatterns = [
    path("c/<slug:slug>/desk/", desk_overview.desk, name="desk"),
    path("c/<slug:slug>/desk/queue/", desk.desk_queue, name="desk-queue"),
    path("c/<slug:slug>/desk/clone/", desk_clone.desk_clone, name="desk-clone"),
    path("c/<slug:slug>/desk/data/", desk_data.desk_data, name="desk-data"),
    path("c/<slug:slug>/desk/data/everything.zip", desk_data.desk_data_all, name="desk-data-all"),
    path("c/<slug:slug>/desk/data/<str:name>", desk_data.desk_data_file, name="desk-data-file"),
    path("c/<slug:slug>/desk/stages/", desk.desk_stages, name="desk-stages"),
    path("c/<slug:slug>/desk/stages/new/", desk.desk_stage_new, name="desk-stage-new"),
    path(STAGE, desk.desk_stage, name="desk-stage"),
    path(f"{STAGE}reschedule/", desk.desk_stage_reschedule, name="desk-stage-reschedule"),
    path(f"{STAGE}edit/", desk.desk_stage_edit, name="desk-stage-edit"),
    *(
        path(f"{STAGE}{act}/", desk_teams.desk_stage_team, {"act": act}, name=f"desk-stage-{act}")
        for act in desk_teams.DEEDS
    ),
    path(f"{STAGE}void/<int:match_id>/", desk.desk_stage_void, name="desk-stage-void"),
    path("c/<slug:slug>/desk/visibility/", desk_visibility.desk_visibility, name="desk-visibility"),
    path("c/<slug:slug>/desk/visibility/freeze/", desk_visibility.desk_freeze, name="desk-freeze"),
    path("c/<slug:slug>/desk/visibility/lift/", desk_visibility.desk_lift, name="desk-lift"),
    path(f"{STAGE}release-all/", desk_visibility.desk_release_all, name="desk-stage-release-all"),
    *(
        path(f"{STAGE}{act}/", desk_visibility.desk_round, {"act": act}, name=f"desk-stage-{act}")
        for act in desk_visibility.ROUND_ACTS
    ),
    *(path(f"{STAGE}{act}/", desk.desk_stage_act, {"act": act}, name=f"desk-stage-{act}") for act in desk.ACTS),
    path(f"{STAGE}rehearsal/", desk_rehearsals.desk_rehearsal, name="desk-stage-rehearsal"),
    *(
        path(
            f"{STAGE}rehearsal/{act}/",
            desk_rehearsals.desk_rehearsal_act,
            {"act": act},
            name=f"desk-stage-rehearsal-{act}",
        )
        for act in desk_rehearsals.DEEDS
    ),
    path(f"{STAGE}reviews/", desk_reviews.desk_reviews, name="desk-stage-reviews"),
    path(f"{STAGE}reviews/new/", desk_reviews.desk_review_new, name="desk-stage-review-new"),
    path(REVIEW, desk_reviews.desk_review, name="desk-stage-review"),
    *(
        path(f"{REVIEW}{act}/", desk_reviews.desk_review_act, {"act": act}, name=f"desk-stage-review-{act}")
        for act in desk_reviews.DEEDS
    ),
    *(
        path(f"{TEAM}{act}/", desk_teams.desk_team_leave, {"act": act}, name=f"desk-team-{act}")
        for act in desk_teams.DEEDS
    ),
]
