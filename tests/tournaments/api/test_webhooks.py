"""Webhooks by the API: who may do what, and that it is the same as on the pages."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from contest import followers, teams
from contest.models import Act, Membership, Scope
from tests.cast import Cast
from tests.programs import caller, patch, post, program
from tests.tournaments.webhooks.receiver import Receiver, receiving
from tournaments.models import Webhook
from tournaments.webhooks import changes, sending

pytestmark = pytest.mark.django_db

URL = "https://example.org/kibitz?key=sesame"


@pytest.fixture
def receiver(settings: Any) -> Any:
    settings.WEBHOOK_PRIVATE_NETWORKS = ["127.0.0.0/8"]
    with receiving() as found:
        yield found


def place(cast: Cast, of: str, rest: str = "") -> str:
    return f"/api/v1/contests/{cast.contest.slug}/{of}/webhooks{rest}"


MATRIX = [
    # who, scopes (None: logged in), the team's, the desk's
    ("nobody", None, 401, 401),
    ("zoe", None, 403, 403),
    ("alice", None, 200, 403),
    ("alice", "team", 200, 403),
    ("alice", "bot", 403, 403),
    ("alice", "desk", 403, 403),
    ("bob", "team", 200, 403),
    ("judy", None, 403, 403),
    ("judy", "desk", 403, 403),
    ("olga", None, 403, 200),
    ("olga", "desk", 403, 200),
    ("olga", "team", 403, 403),
    ("ada", "desk", 403, 200),
    ("root", None, 403, 200),
]


@pytest.mark.parametrize(("who", "scopes", "team", "desk"), MATRIX, ids=str)
def test_who_may_see_and_create_them(who: str, scopes: str | None, team: int, desk: int, cast: Cast) -> None:
    user = None if who == "nobody" else getattr(cast, who)
    client = caller(user, scopes)
    for of, expected in (("team", team), ("desk", desk)):
        assert client.get(place(cast, of)).status_code == expected, of
        made = post(client, place(cast, of), {"url": URL})
        assert made.status_code == (201 if expected == 200 else expected), made.content
        assert Webhook.objects.filter(team=cast.aces if of == "team" else None).count() == (expected == 200)


def test_others_do_not_learn_that_there_is_one(cast: Cast) -> None:
    mine = changes.create(cast.contest, cast.aces, cast.alice, URL, [])
    desk = changes.create(cast.contest, None, cast.ada, URL, [])
    rival, organiser = program(cast.carl, Scope.TEAM), program(cast.olga, Scope.DESK)
    delivery = changes.test(mine, cast.alice)
    for client, of, pk in ((rival, "team", mine.pk), (rival, "team", desk.pk), (organiser, "desk", mine.pk)):
        one = place(cast, of, f"/{pk}")
        asked = [client.get(one), patch(client, one, {"kinds": []}), client.delete(one)]
        asked += [client.get(f"{one}/deliveries"), client.get(f"{one}/deliveries/{delivery.pk}")]
        asked += [post(client, f"{one}/{act}") for act in ("test", "secret", "off", "on", "skip", "redeliver")]
        asked += [post(client, f"{one}/deliveries/{delivery.pk}/{act}") for act in ("redeliver", "skip")]
        assert {it.status_code for it in asked} <= {404, 422}
        assert not any(b"sesame" in it.content for it in asked)
    assert Webhook.objects.count() == 2
    other = changes.create(cast.contest, cast.aces, cast.alice, URL, [])
    mixed = place(cast, "team", f"/{other.pk}/deliveries/{delivery.pk}")
    assert program(cast.alice, Scope.TEAM).get(mixed).status_code == 404


@pytest.mark.parametrize("of", ["team", "desk"])
def test_the_life_of_one(of: str, cast: Cast, receiver: Receiver) -> None:
    who = cast.alice if of == "team" else cast.olga
    client = program(who, of)
    made = post(client, place(cast, of), {"url": receiver.url, "kinds": ["team_withdrawn"]}).json()
    assert made["secret"].startswith("whsec_")
    one = place(cast, of, f"/{made['id']}")
    read = client.get(one).json()
    assert read == {name: value for name, value in made.items() if name != "secret"}
    assert (read["is_on"], read["reads_as"], read["waiting"]) == (True, who.username, 0)
    assert client.get(place(cast, of)).json() == [read]

    test = post(client, f"{one}/test")
    assert (test.status_code, test.json()["state"]) == (202, "waiting")
    sending.send_due()
    told = client.get(f"{one}/deliveries/{test.json()['id']}").json()
    assert (told["state"], told["status"], told["payload"]["type"]) == ("delivered", 204, "test")
    assert post(client, f"{one}/deliveries/{told['id']}/redeliver").status_code == 409

    teams.withdraw(cast.clubs, cast.carl)
    followers.catch_up()
    receiver.answers.append(500)
    sending.send_due()
    assert client.get(one).json()["failures"] == 1
    (waiting,) = client.get(f"{one}/deliveries?state=waiting").json()["results"]
    assert waiting["kind"] == "team_withdrawn"
    assert "500" in waiting["error"]
    skipped = post(client, f"{one}/deliveries/{waiting['id']}/skip").json()
    assert skipped["state"] == "skipped"
    again = post(client, f"{one}/deliveries/{waiting['id']}/redeliver")
    assert (again.status_code, again.json()["message"]) == (202, waiting["message"])
    assert post(client, f"{one}/deliveries/{waiting['id']}/redeliver").status_code == 409, "it waits already"
    sending.send_due()
    assert post(client, f"{one}/redeliver", {"since": "2001-01-01T00:00:00Z"}).json() == {"messages": 1}
    assert post(client, f"{one}/skip").json() == {"messages": 1}
    assert client.get(f"{one}/deliveries?state=lost").status_code == 422
    assert len(client.get(f"{one}/deliveries?limit=1").json()["results"]) == 1

    changed = patch(client, one, {"kinds": []}).json()
    assert (changed["kinds"], changed["url"]) == ([], receiver.url)
    assert post(client, f"{one}/off").json()["is_on"] is False
    assert client.get(one).json()["why_off"]
    assert post(client, f"{one}/on").json()["is_on"] is True
    new = post(client, f"{one}/secret").json()
    assert new["secret"] != made["secret"]
    assert new["old_secret_until"] > timezone.now().isoformat()
    assert client.delete(one).status_code == 204
    assert client.get(one).status_code == 404
    verbs = set(Act.objects.filter(user=who).values_list("verb", flat=True))
    assert {"create webhook", "change webhook", "switch off webhook", "rotate webhook secret"} < verbs
    assert not Act.objects.filter(target__contains="/hook").exists(), "paths may contain keys"


def test_who_has_left_the_team_has_left_its_webhooks(cast: Cast) -> None:
    hook = changes.create(cast.contest, cast.aces, cast.bob, URL, [])
    client = program(cast.bob, Scope.TEAM)
    assert client.get(place(cast, "team", f"/{hook.pk}")).status_code == 200
    Membership.objects.filter(user=cast.bob).delete()
    assert client.get(place(cast, "team", f"/{hook.pk}")).status_code == 403
