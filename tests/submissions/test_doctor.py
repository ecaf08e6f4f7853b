"""`manage.py doctor` on the machine that runs the tests, and on machines that lack something."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from contest import workers
from contest.models import User
from submissions.languages import LANGUAGES
from submissions.management.commands import doctor
from tests.cast import make_contest


def examine(*arguments):
    out = StringIO()
    call_command("doctor", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_a_healthy_machine_is_described_part_by_part(settings):
    settings.MORE_CHECKS = ["contest.workers.workforce"]  # without servers that do not run here
    settings.ALLOWED_HOSTS = ["cards.example.org"]
    workers.sign_of_life("all@here", ("matches", "builds", "portal", "webhooks"))
    text = examine()
    for part in (
        "python",
        "user",
        "sandbox",
        "private",
        "address",
        "compiler",
        "var",
        "clock",
        "database",
        "broker",
        "workers",
        "disk",
    ):
        assert f"ok   {part} " in text or (part == "clock" and "WARN clock " in text)
    assert "BAD" not in text
    for language in ("C: gcc", "C++: g++", "Pascal: ", "Python: Python 3"):
        assert language in text
    assert doctor.probe().title in text


@pytest.mark.django_db
def test_what_is_missing_is_named_and_the_status_says_so():
    with pytest.raises(CommandError, match="not well: workers"):
        examine()


@pytest.mark.django_db
def test_a_missing_compiler_is_told_with_the_package_that_brings_it_where_a_contest_takes_it(monkeypatch):
    monkeypatch.setattr("submissions.languages.SYSTEM_PATH", "/nowhere")
    assert "compiler" not in examine("--machine")
    contest = make_contest(languages=["pascal"])
    assert examine("--machine").splitlines() == [
        f"BAD  compiler   Pascal: missing, but a contest allows it: apt-get install {LANGUAGES['pascal'].package}"
    ]
    contest.ended_at = contest.opens_at
    contest.save(update_fields=["ended_at"])
    assert "compiler" not in examine("--machine"), "it has ended"


@pytest.mark.django_db
def test_an_administrator_who_can_be_guessed_is_bad(settings, tmp_path):
    settings.VAR_DIR = tmp_path
    good = User.objects.create_superuser("root", password="7Yc-x0-horses")
    User.objects.create_user("zoe", password="zoe")  # no administrator
    assert doctor.line_of(doctor.passwords()).startswith("ok ")
    (tmp_path / "organiser.txt").write_text("user: root\npassword: x\n")
    assert doctor.line_of(doctor.passwords()).startswith("WARN passwords")
    for name, password in (("organiser", "organiser"), ("ada", "changeme")):
        User.objects.create_superuser(name, password=password)
    line = doctor.line_of(doctor.passwords())
    assert line == "BAD  passwords  anybody can guess the password of organiser, ada: change it"
    before = good.password
    good.refresh_from_db()
    assert good.password == before, "looking changes nothing"
