"""Organisers upload for a team: within its limits, even after its deadline, and recorded in the audit log."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from contest.models import Act
from submissions.models import Submission
from tests.cast import Cast


def send(cast: Cast, who: str, source: bytes = b"int main() {}\n") -> object:
    client = Client()
    client.force_login(getattr(cast, who))
    address = reverse("desk-team-upload", args=[cast.contest.slug, cast.aces.pk])
    client.get(address)
    return client.post(address, {"source": SimpleUploadedFile("shark.cpp", source), "activate": "on"}, follow=True)


@pytest.mark.parametrize("who", ["olga", "ada"])
def test_it_is_a_version_of_the_team_and_the_audit_log_says_so(cast: Cast, who: str) -> None:
    answer = send(cast, who)
    version = Submission.objects.get()
    assert (version.team, version.uploaded_by, version.state) == (cast.aces, getattr(cast, who), "queued")
    assert answer.redirect_chain[-1][0] == reverse("version", args=[cast.contest.slug, cast.aces.pk, 1])
    act = Act.objects.get(verb="upload version for team")
    assert (act.user, act.data["team"]) == (getattr(cast, who), cast.aces.pk)
    assert send(cast, who).status_code == 422, "the same once more is refused as from the team"


@pytest.mark.parametrize("who", ["judy", "alice", "carl", "zoe"])
def test_nobody_else_may(cast: Cast, who: str) -> None:
    assert send(cast, who).status_code in (403, 404)
    assert not Submission.objects.exists()
