"""Addresses of the organiser's desk about stages and matches."""

from django.urls import path

from tournaments import desk

STAGE = "c/<slug:slug>/desk/stages/<int:stage_id>/"

urlpatterns = [
    path("c/<slug:slug>/desk/queue/", desk.desk_queue, name="desk-queue"),
    path("c/<slug:slug>/desk/stages/", desk.desk_stages, name="desk-stages"),
    path("c/<slug:slug>/desk/stages/new/", desk.desk_stage_new, name="desk-stage-new"),
    path(STAGE, desk.desk_stage, name="desk-stage"),
    path(f"{STAGE}edit/", desk.desk_stage_edit, name="desk-stage-edit"),
    *(path(f"{STAGE}{act}/", desk.desk_stage_team, {"act": act}, name=f"desk-stage-{act}") for act in desk.TEAM_ACTS),
    path(f"{STAGE}void/<int:match_id>/", desk.desk_stage_void, name="desk-stage-void"),
    *(path(f"{STAGE}{act}/", desk.desk_stage_act, {"act": act}, name=f"desk-stage-{act}") for act in desk.ACTS),
]
