"""Addresses of the desk's pages about stages and matches."""

from django.urls import path

from tournaments.desk import check_in, downloads, impacts, overview, reviews, stages, visibility
from tournaments.organising import actions
from tournaments.webhooks import views as webhooks

STAGE = "c/<slug:slug>/desk/stages/<int:stage_id>/"
REVIEW = f"{STAGE}reviews/<int:review_id>/"
TEAM = "c/<slug:slug>/desk/teams/<int:team_id>/"

urlpatterns = [
    path("operators/", overview.operators, name="operators"),
    path("c/<slug:slug>/desk/", overview.desk, name="desk"),
    path("c/<slug:slug>/desk/check-in/", check_in.desk_check_in, name="desk-check-in"),
    path("c/<slug:slug>/desk/queue/", stages.desk_queue, name="desk-queue"),
    path("c/<slug:slug>/desk/workers/", overview.desk_workers, name="desk-workers"),
    path("c/<slug:slug>/desk/clone/", downloads.desk_clone, name="desk-clone"),
    path("c/<slug:slug>/desk/data/", downloads.desk_data, name="desk-data"),
    path("c/<slug:slug>/desk/data/everything.zip", downloads.desk_data_all, name="desk-data-all"),
    path("c/<slug:slug>/desk/data/<str:name>", downloads.desk_data_file, name="desk-data-file"),
    path("c/<slug:slug>/desk/stages/", stages.desk_stages, name="desk-stages"),
    path("c/<slug:slug>/desk/stages/new/", stages.desk_stage_new, name="desk-stage-new"),
    path(STAGE, stages.desk_stage, name="desk-stage"),
    path(f"{STAGE}reschedule/", stages.desk_stage_reschedule, name="desk-stage-reschedule"),
    path(f"{STAGE}shift/", stages.desk_stage_shift, name="desk-stage-shift"),
    path(f"{STAGE}timetable/", stages.desk_stage_timetable, name="desk-stage-timetable"),
    path(f"{STAGE}edit/", stages.desk_stage_edit, name="desk-stage-edit"),
    *(path(f"{STAGE}{act}/", impacts.desk_stage_seat, {"act": act}, name=f"desk-stage-{act}") for act in actions.SEATS),
    *(path(f"{STAGE}{act}/", impacts.desk_stage_team, {"act": act}, name=f"desk-stage-{act}") for act in actions.TEAM),
    path(f"{STAGE}void/<int:match_id>/", stages.desk_stage_void, name="desk-stage-void"),
    path(f"{STAGE}restore/<int:match_id>/", stages.desk_stage_restore, name="desk-stage-restore"),
    path("c/<slug:slug>/desk/practice/", overview.desk_practice, name="desk-practice"),
    path("c/<slug:slug>/desk/visibility/", visibility.desk_visibility, name="desk-visibility"),
    path("c/<slug:slug>/desk/visibility/freeze/", visibility.desk_freeze, name="desk-freeze"),
    path("c/<slug:slug>/desk/visibility/lift/", visibility.desk_lift, name="desk-lift"),
    path(f"{STAGE}release-all/", visibility.desk_release_all, name="desk-stage-release-all"),
    *(path(f"{STAGE}{act}/", visibility.desk_round, {"act": act}, name=f"desk-stage-{act}") for act in actions.ROUND),
    *(path(f"{STAGE}{act}/", stages.desk_stage_act, {"act": act}, name=f"desk-stage-{act}") for act in actions.STAGE),
    *(
        path(f"{STAGE}{act}/", impacts.desk_stage_ending, {"act": act}, name=f"desk-stage-{act}")
        for act in actions.ENDINGS
    ),
    path(f"{STAGE}rehearsal/", reviews.desk_rehearsal, name="desk-stage-rehearsal"),
    *(
        path(
            f"{STAGE}rehearsal/{act}/",
            reviews.desk_rehearsal_act,
            {"act": act},
            name=f"desk-stage-rehearsal-{act}",
        )
        for act in actions.REHEARSAL
    ),
    path(f"{STAGE}reviews/", reviews.desk_reviews, name="desk-stage-reviews"),
    path(f"{STAGE}reviews/new/", reviews.desk_review_new, name="desk-stage-review-new"),
    path(REVIEW, reviews.desk_review, name="desk-stage-review"),
    *(
        path(f"{REVIEW}{act}/", reviews.desk_review_act, {"act": act}, name=f"desk-stage-review-{act}")
        for act in actions.REVIEW
    ),
    *(path(f"{TEAM}{act}/", impacts.desk_team_leave, {"act": act}, name=f"desk-team-{act}") for act in actions.TEAM),
    *webhooks.OF_DESK,
]
