"""What observations hold: what the seat knows, as an independent fold sees it, and nothing that is hidden from it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games import GAMES
from games.engine import Event
from games.hearing import heard
from kibitz_rl import CardGame
from tests.rl.playing import allowed, field, make, numbers, over

SLUGS = list(GAMES)


def hand_of(env: CardGame, agent: str) -> list[str]:
    """The hand in an observation: its cards, each as often as it is held."""
    pack = list(dict.fromkeys(env.game.pack))
    return sorted(card for card, count in zip(pack, field(env, "hand", agent), strict=True) for _ in range(count))


@pytest.mark.long("more")
@pytest.mark.parametrize("slug", SLUGS)
def test_they_tell_the_hand_that_the_replay_shows_to_the_same_seat(slug: str) -> None:
    env, random = make(slug), Random(1)
    for seed in range(3):
        env.reset(seed=seed)
        while not over(env):
            agent = env.agent_selection
            seat = int(agent.removeprefix("player_"))
            view = env.game.view(seat)
            for _, part in sorted((it for it in heard(env.game, env.events, seat) if it[1]), key=lambda it: it[0]):
                view.tell(part)
            position = view.position()
            assert hand_of(env, agent) == sorted(map(str, position["hands"][seat]))
            legal = [env.game.pack[card] for card in allowed(env) if card < len(env.game.pack)]
            assert set(legal) <= {*hand_of(env, agent), *map(str, position.get("pool") or ())} or slug == "barracuda"
            env.step(random.choice(allowed(env)))
            if len(env.events) > 150:
                break


def swapped(env: CardGame, observer: int, events: list[Event], pack: list[int], random: Random) -> list[int] | None:
    """The pack with two cards exchanged that lie in different places, both unknown to the observer by these events."""
    known = {str(card) for _, part in heard(env.game, events, observer) if part for card in cards_in(part)}
    if env.game.slug == "barracuda":  # of equal cards one may be known
        other = range(5, 10) if observer == 0 else range(5)
        played = {str(e["card"]) for e in events if e["event"] == "play"}
        first = [place for place in other if env.game.pack[pack[place]] not in played]
        second = list(range(10, 104))
    else:
        hidden = [place for place, card in enumerate(pack) if env.game.pack[card] not in known]
        first = second = hidden
    if not first:
        return None
    one, two = random.choice(first), random.choice(second)
    if env.game.pack[pack[one]] == env.game.pack[pack[two]]:
        return None
    changed = list(pack)
    changed[one], changed[two] = pack[two], pack[one]
    return changed


def cards_in(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [card for key, each in value.items() if key not in ("event", "seat") for card in cards_in(each)]
    if isinstance(value, list | tuple):
        return [card for each in value for card in cards_in(each)]
    return [value]


def deal(env: CardGame, pack: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(env.game), "shuffle", lambda *arguments: pack)
    env.reset(seed=7, options={"opening": {"seed": None, "cards": 9}} if env.game.slug == "even_steven" else None)


def knowledge(env: CardGame, observer: int) -> list[Any]:
    """All that an agent is given."""
    agent = f"player_{observer}"
    seen = env.observe(agent)
    return [
        env.agent_selection == agent,
        seen["observation"].tolist(),
        seen["action_mask"].tolist(),
        env.infos[agent]["action_mask"].tolist(),
        dict(env.rewards),
    ]


@pytest.mark.promise
@pytest.mark.parametrize(
    "slug", ["hearts", *(pytest.param(slug, marks=pytest.mark.long("more")) for slug in SLUGS if slug != "hearts")]
)
def test_hidden_cards_make_no_difference(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two worlds in which the same is done, with hidden cards exchanged: nobody who cannot see them is told."""
    one, other, random = make(slug), make(slug), Random(11)
    compared = 0
    for _ in range(400):
        observer = random.randrange(one.game.seats[1])
        pack = random.sample(range(len(one.game.pack)), len(one.game.pack))
        deal(one, pack, monkeypatch)
        choices, told = [], [knowledge(one, observer)]
        for _ in range(random.randrange(40)):
            choices.append((one.agent_selection, random.choice(allowed(one))))
            one.step(choices[-1][1])
            if over(one) or [event["event"] for event in one.events].count("hand") > 1:
                break
            told.append(knowledge(one, observer))
        wanted = choices[: len(told) - 1]
        changed = swapped(one, observer, one.events, pack, random)
        if changed is None:
            continue
        deal(other, changed, monkeypatch)
        found = [knowledge(other, observer)]
        for agent, choice in wanted:
            if other.agent_selection != agent or choice not in allowed(other):
                break  # whoever holds another card there may not do the same
            other.step(choice)
            found.append(knowledge(other, observer))
        assert found == told[: len(found)]
        compared += len(found) == len(told) and one.events != other.events
    assert compared >= 20


@pytest.mark.long("more")
@pytest.mark.parametrize("slug", SLUGS)
def test_every_position_is_used_and_stays_within_its_bounds(slug: str) -> None:
    """A position that never changes would be one that nothing sets."""
    env, random = make(slug, options={}), Random(8)
    space = env.observation_space("player_0")
    used = {it.name: False for it in env.fields}
    for seed in range(60 if slug in ("barracuda", "even_steven") else 2):
        env.reset(seed=seed)
        while not over(env):
            env.step(random.choice(allowed(env)))
            for agent in env.agents:
                assert space.contains(env.observe(agent))
                used = {name: so_far or any(field(env, name, agent)) for name, so_far in used.items()}
            if all(used.values()):
                break
    assert [name for name, seen in used.items() if not seen] == []


def test_three_cards_are_passed_one_by_one() -> None:
    env = make("hearts")
    env.reset(seed=1)
    first, second, third, *_ = allowed(env)
    for card, chosen in ((first, [first]), (second, [first, second])):
        env.step(card)
        assert env.agent_selection == "player_0"
        assert [place for place, is_chosen in enumerate(field(env, "chosen", "player_0")) if is_chosen] == chosen
        assert not set(chosen) & set(allowed(env))
    env.step(third)
    assert env.agent_selection == "player_1"
    assert env.events[-1] == {
        "event": "pass", "seat": 0, "to": 1, "cards": [env.game.pack[card] for card in (first, second, third)]
    }  # fmt: skip
    assert not any(field(env, "chosen", "player_0"))
    assert sum(field(env, "given", "player_0")) == 3
    assert not any(field(env, "received", "player_1"))  # it still has to pass cards itself


def test_challenges_are_actions() -> None:
    env = make("barracuda")
    env.reset(seed=1)
    asker = env.agent_selection
    env.step(numbers(env, {"event": "challenge"})[0])
    other = env.agent_selection
    assert other != asker
    assert field(env, "offered", asker) == [1, 0]
    assert field(env, "offered", other) == [0, 1]
    assert allowed(env) == numbers(env, {"event": "accept"}) + numbers(env, {"event": "reject"})
    env.step(numbers(env, {"event": "accept"})[0])
    assert field(env, "accepted", asker) == [1]
