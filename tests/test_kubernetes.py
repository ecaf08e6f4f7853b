"""The manifests of docker/kubernetes: valid by the schemas of Kubernetes, confined, and scaled by what waits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from django.db import connection
from django.utils import timezone

from contest.version import RELEASE
from tests.tournaments.stagecraft import Hall, by_strength, finish
from tournaments.models import Match
from tournaments.playing import play

pytestmark = pytest.mark.long("machines")

FOLDER = Path(__file__).parent.parent / "docker" / "kubernetes"
VERSION = "1.33"  # the first that has user namespaces for pods by default
RUN_BOTS = {"matches", "builds", "bots", "casual"}
OTHERS = {"web", "portal", "webhooks", "beat", "prepare"}


def documents() -> list[dict[str, Any]]:
    listed = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())["resources"]
    return [each for name in listed for each in yaml.safe_load_all((FOLDER / name).read_text())]


ALL = documents()
PODS = {it["metadata"]["name"]: it["spec"]["template"]["spec"] for it in ALL if it["kind"] in ("Deployment", "Job")}
(SCALED,) = (it for it in ALL if it["kind"] == "ScaledObject")
(TRIGGER,) = SCALED["spec"]["triggers"]


def test_every_file_is_listed() -> None:
    listed = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
    assert {path.name for path in FOLDER.glob("*.yaml")} == {*listed["resources"], "kustomization.yaml"}
    assert listed["images"][0]["newTag"] == RELEASE


@pytest.mark.parametrize(
    "document",
    [it for it in ALL if "keda" not in it["apiVersion"]],
    ids=lambda it: f"{it['kind']} {it['metadata']['name']}",
)
def test_it_is_valid(document: dict[str, Any]) -> None:
    kubernetes_validate.validate(document, VERSION, strict=True)


def test_the_validator_refuses_what_is_wrong() -> None:
    wrong = json.loads(json.dumps(next(it for it in ALL if it["kind"] == "Deployment")))
    wrong["spec"]["template"]["spec"]["containers"][0]["imagee"] = "kibitz"
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSION, strict=True)


def test_every_process_of_the_portal_has_a_pod() -> None:
    assert set(PODS) == RUN_BOTS | OTHERS


@pytest.mark.parametrize("name", sorted(PODS))
def test_nobody_has_privileges_and_everybody_has_limits(name: str) -> None:
    pod = PODS[name]
    (container,) = pod["containers"]
    inside = container["securityContext"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert (inside["allowPrivilegeEscalation"], inside["readOnlyRootFilesystem"]) == (False, True)
    assert inside["capabilities"] == {"drop": ["ALL"]}
    assert pod["automountServiceAccountToken"] is False
    assert container["resources"]["requests"].keys() == {"cpu", "memory"}
    assert "memory" in container["resources"]["limits"]
    profile = pod["securityContext"]["seccompProfile"]
    if name in RUN_BOTS:  # each jail has namespaces and a /proc of its own
        assert profile == {"type": "Localhost", "localhostProfile": "kibitz.json"}
        assert inside["procMount"] == "Unmasked"
        assert pod["hostUsers"] is False, "Kubernetes allows an unmasked /proc only in a user namespace"
    else:
        assert profile == {"type": "RuntimeDefault"}
        assert "procMount" not in inside


def test_whoever_serves_or_works_is_probed() -> None:
    for name in ("web", "matches", "builds", "portal", "webhooks", "bots"):
        assert {"startupProbe", "livenessProbe"} <= PODS[name]["containers"][0].keys(), name


def test_workers_have_time_to_finish() -> None:
    for name in ("matches", "builds", "portal", "webhooks"):
        command = PODS[name]["containers"][0]["command"]
        assert command[:4] == ["python3", "manage.py", "worker", "--queues"]
        assert command[4] == name
        assert int(command[command.index("--grace") + 1]) < PODS[name]["terminationGracePeriodSeconds"]


def test_the_pods_that_are_scaled_play_as_many_matches_as_are_counted_for_each() -> None:
    command = PODS["matches"]["containers"][0]["command"]
    assert command[command.index("--matches") + 1] == TRIGGER["metadata"]["targetQueryValue"]
    (deployment,) = (it for it in ALL if it["kind"] == "Deployment" and it["metadata"]["name"] == "matches")
    assert "replicas" not in deployment["spec"], "KEDA sets them"
    (auth,) = (it for it in ALL if it["kind"] == "TriggerAuthentication")
    assert auth["metadata"]["name"] == TRIGGER["authenticationRef"]["name"]
    assert SCALED["spec"]["minReplicaCount"] >= 1, "practice and builds of old versions wait for nobody"


@pytest.mark.django_db
def test_the_query_counts_what_waits_and_what_is_played() -> None:
    def counted() -> int:
        with connection.cursor() as cursor:
            cursor.execute(TRIGGER["metadata"]["query"])
            return int(cursor.fetchone()[0])

    assert counted() == 0
    hall = Hall(teams=8)
    stage = hall.stage()
    waiting = Match.objects.claimable(timezone.now()).for_workers().count()
    assert counted() == waiting > 1
    first, second, *_ = stage.matches.order_by("pk")
    assert play.claim(first.pk, "one:1")
    assert counted() == waiting, "what is being played still needs its pod"
    Match.objects.filter(pk=first.pk).update(state="queued", worker="")
    finish(Match.objects.get(pk=first.pk), by_strength(first))
    Match.objects.filter(pk=second.pk).update(live=True)
    open_now = Match.objects.open().filter(live=False).count()
    assert counted() == open_now
