"""The dashboard for Grafana and the rules for Prometheus ask for figures that /metrics really gives."""

import json
import re

import pytest
import yaml
from django.conf import settings
from prometheus_client.parser import text_string_to_metric_families

from contest import counting
from contest.counting import COUNTERS
from contest.server import disk, figures, workers
from contest.server.figures import Figure

pytestmark = pytest.mark.long("more")

FOLDER = settings.BASE_DIR / "docs" / "operations"
DASHBOARD = json.loads((FOLDER / "grafana.json").read_text())
RULES = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"][0]["rules"]
EXPRESSIONS = [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]
EXPRESSIONS += [rule["expr"] for rule in RULES]
LABELS = {
    "answers_total": "status", "leases_lost_total": "kind", "work_requeued_total": "kind", "tasks_total": "task ended",
    "machinery_failures_total": "kind", "mail_total": "outcome", "database_errors_total": "error",
}  # fmt: skip
POSTGRESQL = ("lock_waiting", "lock_waiting_seconds")


@pytest.fixture
def told(client, db, settings, monkeypatch):
    """All samples of a portal in which everything that is counted has happened: names, and labels of each name."""
    settings.METRICS_TOKEN = "a-token"
    counting.forget()
    for name in COUNTERS:
        counting.count(name, **dict.fromkeys(LABELS[f"{name}_total"].split(), "x"))
    counting.observe("request", 0.1, view="home")
    counting.observe("lock_wait", 0.1)
    counting.observe("task", 0.1, task="x")
    counting.deliver()
    workers.sign_of_life("all@here", ("matches",))
    monkeypatch.setattr(disk, "seconds_until_full", lambda: 7200.0)
    postgresql = [Figure(name, "of PostgreSQL alone", 0) for name in POSTGRESQL]
    monkeypatch.setattr(figures, "SOURCES", (*figures.SOURCES, lambda: postgresql))
    figures.forget()
    text = client.get("/metrics", headers={"Authorization": "Bearer a-token"}).content.decode()
    figures.forget()
    found = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def test_every_name_and_label_is_given_by_metrics(told):
    asked = set()
    for expression in EXPRESSIONS:
        names = set(re.findall(r"\bkibitz_\w+", expression))
        assert names or expression.startswith("vector"), expression
        asked |= names
        labels = set(re.findall(r"[{,]\s*(\w+)\s*=", expression))
        for group in re.findall(r"\bby \(([^)]*)\)", expression):
            labels |= set(group.replace(" ", "").split(","))
        for label in labels:
            assert any(label in told.get(name, ()) for name in names), (expression, label)
    assert asked - set(told) == set()
