"""Addresses of the API for organisers about stages, matches and results."""

from django.urls import path

from contest.api.desk.urls import DESK, TEAM
from tournaments.api.desk import (
    downloads,
    matches,
    overview,
    rehearsals,
    reviews,
    stage_acts,
    stages,
    teams,
    visibility,
)

STAGE = f"{DESK}/stages/<int:stage_id>"
MATCH = f"{DESK}/matches/<int:match_id>"
REVIEW = f"{DESK}/reviews/<int:review_id>"
OF_STAGES = {
    **teams.SEATS,
    **stage_acts.DRAWING,
    **stage_acts.ROUNDS,
    **stage_acts.PLAIN,
    **stage_acts.ENDINGS,
    **visibility.ROUND_ACTS,
}

urlpatterns = [
    path(f"{DESK}/attention", overview.AttentionView.as_view(), name="api-desk-attention"),
    path(f"{DESK}/check-in", teams.CheckInView.as_view(), name="api-desk-check-in"),
    path(f"{TEAM}/check-in", teams.ArrivalView.as_view(), name="api-desk-team-check-in"),
    path(f"{DESK}/queue", overview.QueueView.as_view(), name="api-desk-queue"),
    path(f"{DESK}/workers", overview.WorkersView.as_view(), name="api-desk-workers"),
    path(f"{DESK}/clone", downloads.CloneView.as_view(), name="api-desk-clone"),
    path(f"{DESK}/data", downloads.FilesView.as_view(), name="api-desk-files"),
    path(f"{DESK}/data/<str:file>", downloads.FileView.as_view(), name="api-desk-file"),
    path(f"{DESK}/visibility", visibility.VisibilityView.as_view(), name="api-desk-visibility"),
    path(f"{DESK}/freeze", visibility.FreezeView.as_view(), name="api-desk-freeze"),
    path(f"{DESK}/lift", visibility.LiftView.as_view(), name="api-desk-lift"),
    path(f"{DESK}/stages", stages.DeskStagesView.as_view(), name="api-desk-stages"),
    path(STAGE, stages.DeskStageView.as_view(), name="api-desk-stage"),
    path(f"{STAGE}/reschedule", stage_acts.RescheduleView.as_view(), name="api-desk-stage-reschedule"),
    path(f"{STAGE}/shift", stage_acts.ShiftView.as_view(), name="api-desk-stage-shift"),
    *(path(f"{STAGE}/{act}", view.as_view(), name=f"api-desk-stage-{act}") for act, view in OF_STAGES.items()),
    path(f"{STAGE}/release-all", visibility.ReleaseAllView.as_view(), name="api-desk-stage-release-all"),
    path(f"{STAGE}/rehearsal", rehearsals.RehearsalView.as_view(), name="api-desk-rehearsal"),
    path(f"{STAGE}/reviews", reviews.ReviewsView.as_view(), name="api-desk-reviews"),
    path(REVIEW, reviews.ReviewView.as_view(), name="api-desk-review"),
    path(f"{REVIEW}/matches", reviews.ReviewMatchesView.as_view(), name="api-desk-review-matches"),
    path(f"{REVIEW}/apply", reviews.ApplyView.as_view(), name="api-desk-review-apply"),
    path(f"{REVIEW}/drop", reviews.DropView.as_view(), name="api-desk-review-drop"),
    path(f"{MATCH}/void", matches.VoidView.as_view(), name="api-desk-match-void"),
    path(f"{MATCH}/restore", matches.RestoreView.as_view(), name="api-desk-match-restore"),
    *(path(f"{TEAM}/{act}", view.as_view(), name=f"api-desk-team-{act}") for act, view in teams.ACTS.items()),
]
