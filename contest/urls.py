"""Every address of the portal. Names are global; the other apps bring their own, included here by name only."""

from django.contrib import admin
from django.urls import include, path

from contest import views
from contest.health import healthz, readyz

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("c/<slug:slug>/", views.contest, name="contest"),
    path("", include("submissions.urls")),
    path("", include("tournaments.urls")),
]
