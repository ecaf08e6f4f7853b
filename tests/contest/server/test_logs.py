"""Log lines name the request, the task, the match and the attempt they belong to, and hold no secrets."""

import json
import logging
import sys

import pytest

from contest.server import logs
from contest.server.logs import Context, JsonFormatter, PlainFormatter, about, scrubbed


def line(message="hello", *args, formatter=None, **more):
    record = logging.makeLogRecord({"name": "games", "levelname": "INFO", "msg": message, "args": args, **more})
    Context().filter(record)
    return (formatter or JsonFormatter()).format(record)


def test_a_line_names_what_it_is_about():
    with about(request="abcdefgh"), about(match=7, attempt=2, contest=None):
        said = json.loads(line("played %d", 3))
        assert {"request": "abcdefgh", "match": 7, "attempt": 2}.items() <= said.items()
        assert (said["message"], said["logger"], said["level"]) == ("played 3", "games", "INFO")
        assert "contest" not in said
        assert line(formatter=PlainFormatter()).endswith("INFO games: [request abcdefgh] [match 7] [attempt 2] hello")
    assert "match" not in json.loads(line())


@pytest.mark.parametrize(
    ("said", "secret"),
    [
        ("connection to postgres://cards:Sehr%40Geheim@db/kibitz failed", "Sehr%40Geheim"),
        ("redis://:hunter2hunter2@broker:6379/0", "hunter2hunter2"),
        ("{'Authorization': 'Bearer kbz_0123456789abcdefghij'}", "0123456789abcdefghij"),
        ("Not Found: /c/cup/watch/Ab12Cd34Ef/", "Ab12Cd34Ef"),
        ("password=Tr0ub4dor&3", "Tr0ub4dor"),
        ("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
        ("GET /enter/?code=WXYZ2345", "WXYZ2345"),
        ("/accounts/password/reset/key/2-abc123def/", "2-abc123def"),
    ],
)
def test_secrets_are_left_out(said, secret):
    assert secret in said
    assert secret not in scrubbed(said)
    assert secret not in line(said)
    assert secret not in line(said, formatter=PlainFormatter())
    try:
        raise OSError(said)
    except OSError:
        assert secret not in line(exc_info=sys.exc_info()), "nor in a traceback"


@pytest.mark.parametrize("said", ["the token of team 7 is gone", "password changed", "no code for this contest"])
def test_words_are_no_secrets(said):
    assert scrubbed(said) == said


@pytest.mark.django_db
def test_an_answer_has_the_id_of_its_request(client):
    first, second = (client.get("/healthz")["X-Request-ID"] for _ in range(2))
    assert first != second
    assert logs.GOOD.fullmatch(first)
    assert client.get("/healthz", headers={"X-Request-ID": "proxy-0123456789"})["X-Request-ID"] == "proxy-0123456789"
    for forged in ("short", "a" * 65, "two words", 'x"}, {"level": 1', "line\tbreak12"):
        assert client.get("/healthz", headers={"X-Request-ID": forged})["X-Request-ID"] != forged
