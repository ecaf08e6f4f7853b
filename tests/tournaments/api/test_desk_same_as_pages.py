"""Every action of the desk, once through its page and once through the API: both leave the same behind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import questions
from contest.models import Contest, Question, Role, Team
from tests.api.test_matrix import OPERATIONS
from tests.cast import make_team
from tests.programs import patch, post, program
from tests.tournaments.stagecraft import Hall
from tests.tournaments.test_two_worlds import staged
from tests.tournaments.visitors import visitor
from tests.tournaments.worlds import CACHES, play_on
from tournaments.models import Match, Rehearsal, Review, Round, Stage
from tournaments.organising import releases, reviews, rounds, stages

pytestmark = pytest.mark.django_db

TWOS = {"table_size": 2, "games": 1}
WHY = {"reason": "The clock was wrong."}


@dataclass(frozen=True)
class Same:
    """What a browser posts to a page of the desk, and what a program sends. Addresses get `known` by name."""

    page: str
    args: tuple[str, ...]
    form: Mapping[str, Any]
    method: str
    address: str
    sent: Mapping[str, Any]
    before: Callable[[Any], object] = lambda scene: None


class Scene:
    """A Swiss in progress after its first round, a draft, a published stage, a pending team, a question, a review."""

    def __init__(self) -> None:
        closes = timezone.now().replace(second=0, microsecond=0) + timedelta(days=7)  # as forms send it
        self.hall = hall = Hall(4, entry_deadline=closes, upload_deadline=closes)
        self.contest, self.ada = hall.contest, hall.ada
        self.swiss = staged(hall, "swiss", options={**TWOS, "rounds": 3}, release=Stage.Release.ROUNDS)
        play_on(self.swiss, most=2)
        self.ladder = staged(hall, "ladder", name="Ladder", options={"table_size": 2})
        self.draft = staged(hall, name="Draft", options=TWOS, start=False)
        self.published = staged(hall, name="Published", options=TWOS, start=False)
        stages.publish(self.published, self.ada)
        self.match = self.swiss.matches.done().earliest("pk")
        self.pending = make_team(self.contest, name="Pending")
        Team.objects.filter(pk=self.pending.pk).update(state=Team.State.PENDING)
        asker = hall.teams[0].memberships.get().user
        self.question = questions.ask(hall.teams[0], asker, "Ties", "Who wins one?")
        self.judge = make_team(self.contest).memberships.get().user
        self.role = Role.objects.create(contest=self.contest, user=self.judge, role=Role.Kind.JUDGE)

    def known(self) -> dict[str, Any]:
        reviewed = Review.objects.values_list("pk", flat=True).first()
        announced = self.contest.announcements.values_list("pk", flat=True).first()
        return {
            "swiss": self.swiss.pk, "ladder": self.ladder.pk, "draft": self.draft.pk, "published": self.published.pk,
            "match": self.match.pk, "team": self.hall.teams[1].pk, "pending": self.pending.pk,
            "question": self.question.pk, "role": self.role.pk, "review": reviewed, "announcement": announced,
            "asker": self.hall.teams[2].memberships.get().user.username,
        }  # fmt: skip

    def fill(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        known = self.known()
        return {name: known[it[1:]] if isinstance(it, str) and it[:1] == "@" else it for name, it in sent.items()}

    def review(self) -> None:
        done = self.swiss.matches.done().values_list("pk", flat=True)
        review = reviews.start(self.swiss, self.ada, "Again.", done)
        for match in review.matches.all():
            play_on(self.swiss, of=match)


def hold_unseen(scene: Scene) -> None:
    Round.objects.create(stage=scene.published, number=1, hold=True)


def void(scene: Scene) -> None:
    stages.void(scene.match, scene.ada, "A mistake.")


def announce(scene: Scene) -> None:
    visitor(scene.ada).post(reverse("desk-announcements", args=[scene.contest.slug]), {"title": "Lunch", "text": ""})


def freeze(scene: Scene) -> None:
    releases.freeze(scene.contest, scene.ada)


def act_on(stage: str, act: str, form: Mapping[str, Any] | None = None, **more: Any) -> Same:
    sent = form or {}
    return Same(f"desk-stage-{act}", (stage,), sent, "post", f"stages/{{{stage}}}/{act}", sent, **more)


def plain(page: str, args: tuple[str, ...], address: str, sent: Mapping[str, Any], **more: Any) -> Same:
    return Same(page, args, sent, "post", address, sent, **more)


FORM = {
    "name": "Cup", "table_size": 4, "advance": 1, "games": 1, "house": ["random"], "seeding": "number",
    "freeze_versions": "on", "format": "single_elimination", "entry": "all",
}  # fmt: skip
NEW = {"format": "single_elimination", "name": "Cup", "table_size": 4, "advance": 1, "games": 1, "house": ["random"],
       "freeze_versions": True}  # fmt: skip
RENAMED = {"name": "Autumn Cup", "team_size": 4}
ENDING = {"resets": 0, **WHY}

ACTIONS = {
    "create": Same("desk-stage-new", (), FORM, "post", "stages", NEW),
    "edit": Same("desk-stage-edit", ("draft",), FORM, "patch", "stages/{draft}", NEW),
    "publish": act_on("draft", "publish"),
    "unpublish": act_on("published", "unpublish"),
    "start a draft": act_on("draft", "start"),
    "start": act_on("published", "start"),
    "decide": act_on("ladder", "decide"),
    "delete": Same("desk-stage-delete", ("draft",), {}, "delete", "stages/{draft}", {}),
    "pause": act_on("swiss", "pause", WHY),
    "resume": act_on("swiss", "resume", WHY, before=lambda it: stages.pause(it.swiss, it.ada)),
    "reset": act_on("swiss", "reset", ENDING),
    "shorten": act_on("swiss", "shorten", ENDING),
    "abandon": act_on("swiss", "abandon", ENDING),
    "reschedule": Same(
        "desk-stage-reschedule", ("ladder",), {"ends_at": "", "final_minutes": 60, "pause": 7},
        "post", "stages/{ladder}/reschedule", {"pause": 7},
    ),
    "start round": act_on("published", "start-round", {"round": 1}),
    "hold round": act_on("published", "hold-round", {"round": 1}),
    "follow timetable": act_on(
        "published", "follow-timetable", {"round": 1}, before=lambda it: rounds.hold(it.published, it.ada, 1)
    ),
    "show pairings": act_on("published", "show-pairings", {"round": 1}, before=hold_unseen),
    "shift": act_on("published", "shift", {"round": 2, "minutes": 15}),
    "rehearse": plain("desk-stage-rehearsal-ask", ("draft",), "stages/{draft}/rehearsal", {}),
    "play stopped": plain("desk-queue", (), "queue", {}, before=lambda it: it.swiss.matches.open().update(due_at=None)),
    "void": plain("desk-stage-void", ("swiss", "match"), "matches/{match}/void", {**WHY, "hold": True}),
    "restore": plain("desk-stage-restore", ("swiss", "match"), "matches/{match}/restore", WHY, before=void),
    "review": Same(
        "desk-stage-review-new", ("swiss",), {**WHY, "deals": "same", "versions": "pinned", "which": "all"},
        "post", "stages/{swiss}/reviews", {**WHY, "all": True},
    ),
    "apply": plain("desk-stage-review-apply", ("swiss", "review"), "reviews/{review}/apply", {}, before=Scene.review),
    "drop": plain("desk-stage-review-drop", ("swiss", "review"), "reviews/{review}/drop", {}, before=Scene.review),
    "disqualify": plain("desk-team-disqualify", ("team",), "teams/{team}/disqualify", WHY),
    "withdraw": plain("desk-team-withdraw", ("team",), "teams/{team}/withdraw", WHY),
    "reinstate": plain(
        "desk-team-reinstate", ("team",), "teams/{team}/reinstate", WHY,
        before=lambda it: stages.disqualify(it.hall.teams[1], it.ada, "Copied."),
    ),
    "check in": Same(
        "desk-check-in", (), {"team": "@team", "present": "1"}, "post", "teams/{team}/check-in", {"present": True}
    ),
    "approve": plain("desk-team-approve", ("pending",), "teams/{pending}/approve", {}),
    "refuse": plain("desk-team-refuse", ("pending",), "teams/{pending}/refuse", WHY),
    "approve many": Same(
        "desk-teams", (), {"do": "approve", "team": "@pending"}, "post", "teams/approve-waiting", {"teams": "@pending"}
    ),
    "add": plain("desk-teams", (), "teams", {"name": "Night Owls", "school": "Utah"}),
    "rename": Same("desk-team", ("team",), {"name": "X", "school": "Y"}, "patch", "teams/{team}",
                   {"name": "X", "school": "Y"}),
    "code": plain("desk-team-code", ("team",), "teams/{team}/code", {}),
    "import": Same("desk-teams-import", (), {"text": "A, Utah, 77\nB", "enter": "1"}, "post", "teams/import",
                   {"text": "A, Utah, 77\nB"}),
    "seeds": plain("desk-seeds", (), "teams/seeds", {"paste": "78, Pending"}),
    "freeze": plain("desk-freeze", (), "freeze", {}),
    "lift": plain("desk-lift", (), "lift", {}, before=freeze),
    "release": act_on("swiss", "release", {"round": 1}),
    "take back": act_on("swiss", "take-back", {"round": 1}, before=lambda it: releases.release(it.swiss, it.ada, 1)),
    "release all": act_on("swiss", "release-all"),
    "announce": plain("desk-announcements", (), "announcements", {"title": "Lunch", "text": "at noon"}),
    "change announcement": Same(
        "desk-announcement", ("announcement",), {"title": "Supper", "text": ""},
        "patch", "announcements/{announcement}", {"title": "Supper"}, before=announce,
    ),
    "withdraw announcement": Same(
        "desk-announcement", ("announcement",), {"withdraw": "1"}, "delete", "announcements/{announcement}", {},
        before=announce,
    ),
    "answer": plain("desk-question", ("question",), "questions/{question}/answer", {"answer": "Both.", "to_all": True}),
    "notice": plain("desk-questions", (), "notices", {"team": "@team", "subject": "Late", "text": "Be quick."}),
    "settings": Same("desk-settings", (), RENAMED, "patch", "settings", RENAMED),
    "end": plain("desk-end", (), "end", WHY),
    "give role": plain("desk-people", (), "roles", {"who": "@asker", "role": "judge"}),
    "change role": Same(
        "desk-person", ("role",), {"role": "organiser"}, "patch", "roles/{role}", {"role": "organiser"}
    ),
    "take role": Same("desk-person-remove", ("role",), {}, "delete", "roles/{role}", {}),
    "spectator link": plain("desk-spectators", (), "spectator-link", {}),
}  # fmt: skip


class Undone(Exception):
    pass


def left_behind(contest: Contest) -> dict[str, Any]:
    """What the action has written."""
    contest = Contest.objects.get(pk=contest.pk)

    def rows(found: QuerySet[Any], *columns: str) -> list[Any]:
        return list(found.order_by("pk").values_list(*columns))

    return {
        "acts": rows(contest.acts.all(), "user__username", "verb", "target", "reason", "data"),
        "ledger": rows(contest.ledger.all(), *("number", "kind", "audience", "by", "reason"), "stage", "match", "data"),
        "stages": rows(Stage.objects.all(), "name", "state", "order", "options", "released", "resets", "starts_at"),
        "matches": rows(Match.objects.all(), "state", "pending", "counts_from", "counts_until"),
        "teams": rows(Team.objects.all(), "name", "school", "state", "state_reason", "seed"),
        "roles": rows(Role.objects.all(), "user", "role"),
        "questions": rows(Question.objects.all(), "subject", "answer", "to_all", "answered_by"),
        "rehearsals": Rehearsal.objects.count(),
        "contest": (contest.is_frozen(), contest.name, contest.team_size, bool(contest.ended_at)),
    }


@pytest.fixture
def scene() -> Iterator[Scene]:
    yield Scene()
    forget()


def forget() -> None:
    """What was cached of a contest that was undone."""
    for cache in CACHES:
        cache.clear()


def by_page(scene: Scene, it: Same) -> None:
    known = scene.known()
    address = reverse(it.page, args=[scene.contest.slug, *(known[name] for name in it.args)])
    answer = visitor(scene.ada).post(address, scene.fill(it.form))
    assert answer.status_code == 302, answer.content.decode()[:3000]


def by_api(scene: Scene, it: Same) -> None:
    client, sent = program(scene.ada, "desk"), scene.fill(it.sent)
    address = f"/api/v1/contests/{scene.contest.slug}/desk/{it.address.format(**scene.known())}"
    send: dict[str, Callable[[Client, str, Any], Any]] = {
        "post": post, "patch": patch, "delete": lambda client, address, _: client.delete(address),
    }  # fmt: skip
    answer = send[it.method](client, address, sent)
    assert 200 <= answer.status_code < 300, answer.content


def settings_form(scene: Scene) -> dict[str, Any]:
    """What the page of the settings sends if nobody changes anything."""
    shown = visitor(scene.ada).get(reverse("desk-settings", args=[scene.contest.slug])).context
    fields = {bound.html_name: bound.value() for form in ("form", "options") for bound in shown[form]}
    return {name: value for name, value in fields.items() if value not in (None, False)}


@pytest.mark.long("worlds")
def test_each_action_leaves_the_same_behind(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """One contest for all of them: each is undone before the next, so numbers and chance are the same."""
    settings = settings_form(scene)
    now = timezone.now() + timedelta(hours=1)  # the same for both, and later than anything so far
    monkeypatch.setattr(timezone, "now", lambda: now)
    for name, it in ACTIONS.items():
        told = []
        for carry_out in (by_page, by_api):
            with suppress(Undone), transaction.atomic():
                it.before(scene)
                before = left_behind(scene.contest)
                carry_out(scene, replace(it, form={**settings, **it.form}) if name == "settings" else it)
                told.append(left_behind(scene.contest))
                assert told[-1] != before, f"{name} changed nothing ({carry_out.__name__})"
                raise Undone
            forget()
        for what, page in told[0].items():
            assert told[1][what] == page, f"{name}: {what}"


ELSEWHERE = {  # test_desk.py; and the counterparts of others
    *("stages/#/replace", "stages/#/bye"),  # tests/tournaments/organising/test_substitutes.py
    "teams/#/uploads",  # tests/submissions/test_later_deadline.py
    *("delete", "reopen", "roles/leave", "clone", "teams/refuse-waiting", "spectator-link", "stages/#/rehearsal"),
}


def test_every_action_of_the_desk_is_here() -> None:
    def shape(address: str) -> str:
        return re.sub(r"<int:\w+>|\{\w+\}", "#", address)

    desk = "api/v1/contests/<slug:slug>/desk/"
    acting = {
        (method, shape(route.removeprefix(desk)))
        for route, method, _ in OPERATIONS
        if desk in route and method != "get" and "/webhooks" not in route  # tests/tournaments/webhooks
    }
    here = {(it.method, shape(it.address)) for it in ACTIONS.values()}
    assert {address for _, address in acting - here} == ELSEWHERE
    assert here - acting == set()
