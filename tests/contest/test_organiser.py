"""The first organiser: created once, with a password in a file that only we can read."""

import stat

import pytest

from contest import organiser
from contest.models import User

pytestmark = pytest.mark.django_db


def test_the_first_start_makes_the_account_and_tells_the_password(tmp_path):
    account = organiser.ensure(tmp_path / "organiser.txt")
    user = User.objects.get()
    assert user.is_superuser
    assert user.is_staff
    assert user.check_password(account.password)
    assert account.password in str(account)
    assert stat.S_IMODE((tmp_path / "organiser.txt").stat().st_mode) == 0o600
    assert (tmp_path / "organiser.txt").read_text() == f"user: organiser\npassword: {account.password}\n"


def test_later_starts_say_where_it_is_kept(tmp_path):
    password = organiser.ensure(tmp_path / "organiser.txt").password
    again = organiser.ensure(tmp_path / "organiser.txt")
    assert User.objects.count() == 1
    assert again.password is None
    assert str(tmp_path / "organiser.txt") in str(again)
    assert password not in str(again)


def test_a_changed_password_is_not_looked_for_in_the_file(tmp_path):
    organiser.ensure(tmp_path / "organiser.txt")
    user = User.objects.get()
    user.set_password("something of my own")
    user.save(update_fields=["password"])
    assert str(organiser.ensure(tmp_path / "organiser.txt")) == "organiser"


def test_an_administrator_who_is_there_stays_the_only_one(tmp_path):
    User.objects.create_superuser("anna", password="x")
    assert str(organiser.ensure(tmp_path / "organiser.txt")) == "anna"
    assert not (tmp_path / "organiser.txt").exists()


def test_a_team_member_called_organiser_is_left_alone(tmp_path):
    User.objects.create_user("organiser", password="x")
    account = organiser.ensure(tmp_path / "organiser.txt")
    assert account.name.startswith("organiser-")
    assert not User.objects.get(username="organiser").is_superuser
