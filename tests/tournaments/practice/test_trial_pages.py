"""The pages and the API of trials: asking, following, reading; who may see them."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from contest import contests
from contest.models import Contest, Role, Team
from tests.cast import make_team, make_user
from tests.programs import post, program
from tests.tournaments.practice.laboratory import WEAK, asked, known, laboratory, played_out
from tests.tournaments.visitors import addresses, seen, visitor
from tournaments.models import PracticeOrder, Trial

pytestmark = pytest.mark.django_db


def member(team: Team) -> Client:
    return visitor(team.people()[0].user)


def page(name: str, contest: Contest, *more: object) -> str:
    return reverse(name, args=[contest.slug, *more])


def asking(**changes: Any) -> dict[str, Any]:
    return {"new": "2", "old": "1", "opponents": ["house:avoider"], "cap": "40", "high": "4", **changes}


def api(contest: Contest, *more: object) -> str:
    return "/".join(map(str, (f"/api/v1/contests/{contest.slug}/trials", *more)))


def test_from_the_form_to_the_answer() -> None:
    contest, team = laboratory()
    client = member(team)
    empty = client.get(page("trials", contest))
    assert empty.context["form"]["new"].value() == 2
    answer = client.post(page("trials", contest), asking(seed="17"))
    trial = Trial.objects.get()
    assert answer.url == page("trial", contest, trial.pk)
    assert (trial.low, trial.high, trial.cap, trial.measure) == (0, 4, 40, "points")
    assert trial.order.seed == 17
    first = client.get(answer.url)
    rev = first.context["seen"].revision
    assert client.get(answer.url, {"rev": rev}).status_code == 204
    played_out(trial)
    live = client.get(answer.url, {"rev": rev})
    assert live.status_code == 200
    seen, trial = live.context["seen"], known(trial)
    assert seen.better + seen.worse + seen.equal == trial.counted == len(seen.ratios)
    assert seen.ratios[-1] == trial.ratio >= seen.limit
    for line in (*seen.moved, *seen.forked):
        assert f'href="{line.href}"' in live.text
        assert client.get(line.href).status_code == 200
    assert answer.url in client.get(page("trials", contest)).text
    assert client.get(page("practice-order", contest, trial.pk)).url == answer.url


def test_only_the_team_and_people_with_a_role_see_it() -> None:
    contest, team = laboratory()
    trial = asked(team, cap=12)
    played_out(trial, new=WEAK)
    rival = make_team(contest, name="Clubs")
    owner, judge, organiser = contest.roles.get().user, make_user(), make_user()
    contests.give_role(contest, owner, judge, Role.Kind.JUDGE)
    contests.give_role(contest, owner, organiser, Role.Kind.ORGANISER)
    places = [page("trial", contest, trial.pk), page("trial-pair", contest, trial.pk, 1)]
    for address in places:
        assert Client().get(address).status_code == 302
        assert member(rival).get(address).status_code == 404
        for reader in (visitor(judge), visitor(organiser), member(team)):
            assert reader.get(address).status_code == 200
    cancel = page("trial-cancel", contest, trial.pk)
    assert [member(rival).post(cancel).status_code, visitor(judge).post(cancel).status_code] == [404, 404]
    there = api(contest, trial.pk)
    assert Client().get(there).status_code == 401
    assert program(rival.people()[0].user, "bot").get(there).status_code == 404
    assert program(judge, "desk").get(there).status_code == 200
    assert program(judge, "bot").get(there).status_code == 404
    assert page("trial", contest, trial.pk) not in member(rival).get(page("trials", contest)).text


@pytest.mark.long("more")
def test_the_api_tells_what_the_page_tells() -> None:
    contest, team = laboratory()
    client = program(team.people()[0].user, "bot")
    sent = {"new": 2, "old": 1, "opponents": ["house:avoider"], "cap": 30, "low": 0, "high": 4, "seed": 3}
    answer = post(client, api(contest), sent, **{"Idempotency-Key": "t-1"})
    assert answer.status_code == 202, answer.content
    assert post(client, api(contest), sent, **{"Idempotency-Key": "t-1"}).json() == answer.json()
    trial = Trial.objects.get()
    assert answer["Location"] == api(contest, trial.pk)
    body = answer.json()
    assert (body["state"], body["decision"], body["pairs"], body["difference"]) == ("open", "", 0, None)
    played_out(trial)
    trial, body = known(trial), client.get(answer["Location"]).json()
    assert (body["decision"], body["pairs"], body["log_likelihood_ratio"]) == (
        trial.decision,
        trial.counted,
        trial.ratio,
    )
    assert body["lower"] <= body["difference"] <= body["upper"]
    assert (body["new"], body["old"], body["bounds"], body["seed"]) == (2, 1, [0, 4], 3)
    assert client.get(body["first_differences"][0]["records"][0]).json()["seed"] == body["first_differences"][0]["seed"]
    (line,) = client.get(api(contest)).json()["results"]
    assert line == {name: body[name] for name in line}
    refused = post(client, f"{answer['Location']}/cancel", {})
    assert refused.status_code == 409


@pytest.mark.long("worlds")
def test_to_everybody_else_a_contest_with_trials_is_one_without() -> None:
    contest, team = laboratory()
    rival = make_team(contest, name="Clubs")
    trial = asked(team, cap=12)
    played_out(trial)
    known_values = {
        "slug": [contest.slug],
        "order_id": [trial.pk],
        "trial_id": [trial.pk],
        "team_id": [team.pk, rival.pk],
        "number": [1],
        "game": [1],
    }
    where = r"(api/v1/contests|c)/<slug:slug>/?(trials|practice|teams/<int:team_id>/?$|standings|matches|$)"
    guessed = addresses(known_values, where)
    assert len(guessed) > 20
    everybody = [None, rival.people()[0].user]
    with_trial = [seen(guessed, reader) for reader in everybody]
    PracticeOrder.objects.all().delete()
    assert [seen(guessed, reader) for reader in everybody] == with_trial
