"""The dashboard for Grafana and the rules for Prometheus ask for figures that /metrics really gives."""

import json
import re

import pytest
import yaml
from django.conf import settings
from prometheus_client.parser import text_string_to_metric_families

from contest import counting
from contest.counting import COUNTERS, HISTOGRAMS
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


def test_legends_and_summaries_name_labels_that_there_are(told):
    for panel in DASHBOARD["panels"]:
        for target in panel["targets"]:
            names = re.findall(r"\bkibitz_\w+", target["expr"])
            for label in re.findall(r"{{(\w+)}}", target["legendFormat"]):
                assert any(label in told[name] for name in names), target
    for rule in RULES:
        names = re.findall(r"\bkibitz_\w+", rule["expr"])
        for label in re.findall(r"\$labels\.(\w+)", json.dumps(rule["annotations"])):
            assert any(label in told[name] for name in names), rule["alert"]


def test_everything_that_is_measured_is_described_and_most_is_shown(told):
    page = (settings.BASE_DIR / "docs/operations/watching.md").read_text()
    families = {re.sub(r"_(bucket|sum|count|created)$", "", name) for name in told}
    assert {name for name in families if name not in page} == set()
    shown = " ".join(EXPRESSIONS)
    unseen = {name for name in families if name not in shown}
    assert unseen <= {"kibitz_disk_size_bytes", "kibitz_worker_slots", "kibitz_task_seconds", "kibitz_lock_waiting",
                      "kibitz_webhook_delivery_oldest_seconds", "kibitz_database_errors_total",
                      "kibitz_backup_age_seconds"}  # fmt: skip


def test_every_rule_leads_to_a_page():
    for rule in RULES:
        page = rule["annotations"]["runbook"].replace("{{ $labels.part }}", "disk")
        assert (settings.BASE_DIR / page).is_file(), page
        assert rule["labels"]["severity"] in ("page", "ticket")
    assert len({rule["alert"] for rule in RULES}) == len(RULES)


def test_the_panels_of_the_dashboard_do_not_overlap():
    taken = set()
    for panel in DASHBOARD["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])
    assert set(HISTOGRAMS) == {"request", "lock_wait", "task"}
