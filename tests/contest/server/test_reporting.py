"""What Sentry and a collector of OpenTelemetry are told, by a receiver on this machine, and what they are not."""

import gzip
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import brotli
import pytest

pytestmark = pytest.mark.long("more")

ROOT = Path(__file__).resolve().parents[3]
FAIL = """
import django; django.setup()
from django.conf import settings; settings.ALLOWED_HOSTS = ["*"]
from contest.server import metrics
def fail(request):
    hidden = "a-local-" + "value"
    raise ValueError("cannot connect to postgres://cards:hunter2hunter2@db/kibitz")
metrics.may_read = fail
from django.test import Client
client = Client(raise_request_exception=False, REMOTE_ADDR="203.0.113.77")
client.cookies["sessionid"] = "a-session-of-somebody"
answer = client.get("/metrics?code=WXYZ2345&mail=zoe@example.org", headers={"X-Request-ID": "seen-by-the-proxy"})
assert answer.status_code == 500, answer.status_code
END
"""
SECRETS = ("hunter2hunter2", "a-local-value", "203.0.113.77", "a-session-of-somebody", "WXYZ2345", "zoe@example.org")


class Door(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        opened = {"gzip": gzip.decompress, "br": brotli.decompress}.get(self.headers.get("Content-Encoding"), bytes)
        self.server.said.append((self.path, opened(body)))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def receiver():
    server = HTTPServer(("127.0.0.1", 0), Door)
    server.said = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def run(tmp_path, code, **variables):
    environment = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path / "var"), "PYTHONPATH": str(ROOT)}
    environment |= {"DJANGO_SETTINGS_MODULE": "contest.settings", "HOME": str(tmp_path)} | variables
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_sentry_is_told_of_an_error_and_of_nobody(tmp_path, receiver):
    code = FAIL.replace("END", "import sentry_sdk; sentry_sdk.flush(10)")
    done = run(tmp_path, code, SENTRY_DSN=f"http://key@127.0.0.1:{receiver.server_port}/1")
    assert done.returncode == 0, done.stderr
    text = "\n".join(body.decode() for _, body in receiver.said)
    (event,) = [json.loads(line) for line in text.splitlines() if '"exception"' in line]
    (error,) = [each for each in event["exception"]["values"] if each["type"] == "ValueError"]
    assert error["value"] == "cannot connect to postgres://cards:…@db/kibitz"
    assert [frame["function"] for frame in error["stacktrace"]["frames"]][-1] == "fail"
    assert "metrics" in event["transaction"]
    assert not {"request", "user", "extra", "breadcrumbs"} & set(event)
    assert event["tags"]["request"] == "seen-by-the-proxy"
    assert [secret for secret in SECRETS if secret in text] == []
