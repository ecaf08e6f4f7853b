"""Addresses of the API about bots."""

from django.urls import path

from submissions.api import versions

VERSION = "contests/<slug:slug>/versions/<int:number>"

urlpatterns = [
    path("contests/<slug:slug>/bot", versions.BotView.as_view(), name="api-bot"),
    path("contests/<slug:slug>/versions", versions.VersionsView.as_view(), name="api-versions"),
    path("contests/<slug:slug>/versions/withdraw", versions.WithdrawView.as_view(), name="api-bot-withdraw"),
    path(VERSION, versions.VersionView.as_view(), name="api-version"),
    path(f"{VERSION}/source", versions.SourceView.as_view(), name="api-version-source"),
    path(f"{VERSION}/strategy", versions.StrategyView.as_view(), name="api-version-strategy"),
    path(f"{VERSION}/activate", versions.ActivateView.as_view(), name="api-version-activate"),
    path(f"{VERSION}/recheck", versions.RecheckView.as_view(), name="api-version-recheck"),
    path(f"{VERSION}/move-up", versions.MoveUpView.as_view(), name="api-version-move-up"),
    path(f"{VERSION}/cancel", versions.CancelView.as_view(), name="api-version-cancel"),
    path(f"{VERSION}/checks/<int:game>/record", versions.CheckRecordView.as_view(), name="api-check-record"),
    path(f"{VERSION}/checks/<int:game>/log", versions.CheckLogView.as_view(), name="api-check-log"),
    path(f"{VERSION}/checks/<int:game>/stderr", versions.CheckErrorsView.as_view(), name="api-check-stderr"),
]
