"""A portal in which a little of everything has happened, with the addresses of all its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from contest import contests, questions, teams, workers
from contest.models import Alarm, Contest, Team, User
from games.engine import Event
from tests.cast import make_contest
from tests.tournaments import scenes
from tests.tournaments.casual import parlour
from tests.tournaments.practice.gym import order, play_with_house
from tests.tournaments.stagecraft import give_bot
from tests.tournaments.visitors import addresses, visitor
from tests.tournaments.worlds import captains_of
from tournaments.casual import tables
from tournaments.feeds.changes import unsubscribe_word
from tournaments.models import CasualGame, FromHere, PracticeOrder
from tournaments.organising import releases, reviews, stages
from tournaments.webhooks import changes as webhooks

LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"
TEMPLATES = Path(settings.BASE_DIR) / "templates"
EXTENDS = re.compile(r"^(\{#.*#\}\n)?\{% extends ")
FRAMES = re.compile(r"(^|/)(_|base\.html|layouts/)")  # what pages extend, not pages


def pages() -> Iterator[str]:
    """The templates of whole pages."""
    for path in TEMPLATES.rglob("*.html"):
        name = path.relative_to(TEMPLATES).as_posix()
        if EXTENDS.match(path.read_text()) and not FRAMES.search(name):
            yield name


def own_decision(order: PracticeOrder) -> Event:
    """The first decision of the team's own bot in the first game of an order."""
    game = order.games.get()
    kinds = order.contest.game.decisions
    return next(it for it in game.record.loaded()["events"] if it["event"] in kinds and it["seat"] == game.seat)


class World:
    """A contest with stages of two kinds, practice, a review, questions; somebody runs it, somebody plays."""

    def __init__(self) -> None:
        self.ada = User.objects.create_superuser("ada", "ada@example.org", "x")
        self.contest: Contest = scenes.small_contest(self.ada, name="Autumn Cup")
        self.teams: list[Team] = scenes.enter(self.contest, 6, (LONG,))
        self.alice = User.objects.create_user("alice", "alice@example.org", "x")
        self.team = teams.create(self.contest, self.alice, "Nova")
        give_bot(self.team)
        self.cup = scenes.play_all(scenes.stage_of(self.contest, advance=2))
        ladder = stages.create(self.contest, self.ada, stages.Wish("Ladder", "ladder"))
        stages.start(ladder, self.ada)
        self.ladder = ladder
        draft = stages.create(
            self.contest, self.ada, stages.Wish("Draft", starts_at=timezone.now() + timedelta(days=1))
        )
        self.draft = draft
        self.review = reviews.start(self.cup, self.ada, "The hall lost its power.", [self.cup.matches.first().pk])
        self.practice = order(self.team, games=1)
        play_with_house(self.practice)
        ply = 1 + self.practice.games.get().record.loaded()["events"].index(own_decision(self.practice))
        asked = {"ply": ply - 1, "version": 1, "act": "decide"}
        visitor(self.alice).post(reverse("from-practice", args=[self.contest.slug, self.practice.pk, 1]), asked)
        self.here = FromHere.objects.get()
        self.webhook = webhooks.create(self.contest, self.team, self.alice, f"https://example.org/{LONG}", [])
        self.delivery = webhooks.test(self.webhook, self.alice)
        workers.sign_of_life(f"matches@{LONG}", ("matches", "builds"))
        question = questions.ask(self.team, self.alice, "Ties", "Who wins one?")
        questions.answer(question, self.ada, "Nobody.", to_all=True, seen=None)
        self.question = question
        self.announcement = contests.announce(self.contest, self.ada, "Lunch", "at noon")
        Alarm.objects.create(key="disk", message=f"0.1 GB free under /srv/{LONG}", raised_at=timezone.now())
        Alarm.objects.create(key="mail", message="refused")
        frozen = scenes.small_contest(self.ada, name="Winter Cup")
        scenes.enter(frozen, 4)
        self.hidden = scenes.stage_of(frozen).matches.get()
        releases.freeze(frozen, self.ada)
        scenes.play_match(self.hidden)
        self.over = parlour.table("tricky_eights")[0]
        kept = self.over.keep(self.cup.matches.done().last().record.text())
        CasualGame.objects.filter(pk=self.over.pk).update(state=CasualGame.State.OVER, **kept)
        self.watched = parlour.table("hearts", people=(0, 1))[0]
        tables.begin_now(self.watched, self.watched.seats.get(index=0))
        parlour.ask(self.watched)
        problem = make_contest(self.ada, "Spring Set", game="even_steven", options={})
        self.judged = stages.create(problem, self.ada, stages.Wish("Set", "judged_set", {"draw": 1, "draw_seed": 3}))
        stages.start(self.judged, self.ada)

    def addresses(self) -> list[str]:
        match = self.cup.matches.done().last()
        values: dict[str, list[object]] = {
            "slug": [self.contest.slug],
            "team": [self.team.pk],
            "team_id": [self.team.pk],
            "other_id": [self.teams[0].pk],
            "stage_id": [self.cup.pk, self.ladder.pk, self.draft.pk],
            "match_id": [match.pk],
            "order_id": [self.practice.pk],
            "review_id": [self.review.pk],
            "question_id": [self.question.pk],
            "announcement_id": [self.announcement.pk],
            "webhook_id": [self.webhook.pk],
            "delivery_id": [self.delivery.pk],
            "username": captains_of([self.team.pk]),
        }
        own = addresses(values, r"(?!api/|kibitz|readyz|.*\.(zip|csv|json)$)")
        more = [self.hidden.get_absolute_url(), self.judged.get_absolute_url(), "/nowhere/"]
        more.append(reverse("from-here", args=[self.contest.slug, self.here.order_id]))
        more.append(reverse("replay", args=[self.cup.matches.get(pending=True).pk, 1]))
        more += [reverse("casual-replay", args=[table.pk, 1]) for table in (self.over, self.watched)]
        more.append(reverse("unsubscribe", args=[unsubscribe_word(self.alice)]))
        # Last, because some of them end the session.
        return [*own, *more, *(reverse(name) for name in ACCOUNTS), *letters(self.alice)]


def letters(user: User) -> list[str]:
    """The links in letters: to confirm an address, and to choose a new password."""
    address = EmailAddress.objects.create(user=user, email="new@example.org", verified=False)
    key = default_token_generator.make_token(user)
    return [
        reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key]),
        reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), key]),
    ]


ACCOUNTS = (
    *("account_login", "account_signup", "account_reset_password", "account_reset_password_done"),
    *("account_reset_password_from_key_done", "account_email_verification_sent"),
    *("account", "account-export", "account-delete", "tokens", "account_email", "account_change_password"),
    *("account_logout", "account_reauthenticate"),
)
ERRORS = ("403_csrf.html", "410.html", "413.html", "429.html")
"""Pages that no address leads to. They need nothing but a request."""


Seen = dict[tuple[str, str], tuple[int, str]]
"""By the name of a reader and an address: the status, and the template of the page if there is one."""


def few_of_each(asked: list[str]) -> list[str]:
    """The first and the last of all addresses that differ in numbers only."""
    shape = lambda address: re.sub(r"\d+", "0", address)  # noqa: E731
    first = {shape(address): address for address in reversed(asked)}
    last = {shape(address): address for address in asked}
    kept = {*first.values(), *last.values()}
    return [address for address in asked if address in kept]


def seen(world: World, *, few: bool = False) -> Seen:
    """All addresses, asked by a stranger, a member and an organiser. `few`: of each kind the first two ask for two."""
    told: Seen = {}
    asked, whole = world.addresses(), set(pages())
    for reader in (None, world.alice, world.ada):
        client: Client = visitor(reader)
        for address in few_of_each(asked) if few and reader != world.ada else asked:
            answer = client.get(address, follow="/accounts/password/reset/key/" in address)
            names = [template.name for template in getattr(answer, "templates", ()) if template.name in whole]
            inline = r"<[^>]+\s(?:style|on[a-z]+)=\"|<style|<script(?![^>]* src=)"
            assert not names or not re.search(inline, answer.text), f"{address}: the policy for content forbids it"
            told[reader.username if reader else "", address] = (answer.status_code, names[0] if names else "")
    return told


def found(world: World) -> dict[str, tuple[User | None, str]]:
    """By template, who can open it, and where."""
    readers = {"": None, "alice": world.alice, "ada": world.ada}
    kinds: dict[str, tuple[User | None, str]] = {}
    for (name, address), (_, template) in seen(world).items():
        if template:
            kinds.setdefault(template, (readers[name], address))
    return kinds
