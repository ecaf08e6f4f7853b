"""The form for a casual table: what is played, who sits where, how fast, and with explanations or without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms

from contest.models import User
from contest.names import NameInput
from games.engine import Game, House
from submissions.models import Submission
from tournaments.casual.rules import choices
from tournaments.casual.tables import Place, Wish, house_name, is_telling
from tournaments.models import CasualGame, CasualSeat

OPEN = "open"
LONGEST_NAME = 32
MOST_VERSIONS = 20  # of one's own, in a list

LEVELS = ("easy", "medium", "strong")


def levels(game: Game) -> dict[str, House]:
    """House players of a game by level: the weakest of each skill, one from the middle, and the strongest."""
    skills = list({house.skill: house for house in reversed(game.house)}.values())[::-1]
    return dict(zip(LEVELS, (skills[0], skills[len(skills) // 2], skills[-1]), strict=True))


@dataclass(frozen=True)
class Row:
    """A seat in the form."""

    index: int
    label: str
    player: forms.BoundField

    @property
    def key(self) -> str:
        return str(self.index)


class TableForm(forms.Form):
    """Everything has a default, so a game may begin with one click. `user`: None for guests."""

    rules = forms.ChoiceField(label="What is played", required=False)
    seat = forms.ChoiceField(label="Your seat", required=False)
    pace = forms.ChoiceField(label="Time", required=False, choices=CasualGame.Pace.choices)
    coached = forms.BooleanField(
        label="Explain each decision",
        help_text="What you are deciding, which cards you may play and why not the others.",
        required=False,
    )
    name = NameInput(label="Your name at the table", max_length=LONGEST_NAME, required=False)
    listed = forms.BooleanField(
        label="Show this table to everybody",
        help_text="If a seat is open, anybody may take it. Otherwise only people who have your link can.",
        required=False,
    )

    def __init__(self, game: Game, user: User | None, data: Any = None, *, coached: bool = False) -> None:
        super().__init__(data, initial={"coached": coached, "seat": "any", "pace": CasualGame.Pace.RELAXED})
        self.game = game
        self.versions = {f"version:{each.pk}": each for each in _versions(game, user)}
        count = game.seats[1]
        self.names = [game.seat_names[index].capitalize() for index in range(count)]
        seat = self.fields["seat"]
        assert isinstance(seat, forms.ChoiceField)
        seat.choices = [("any", "Any seat"), *((str(index), name) for index, name in enumerate(self.names))]
        self.playable = {each.key: each for each in choices(game)}
        rules = self.fields["rules"]
        assert isinstance(rules, forms.ChoiceField)
        rules.choices = [(each.key, each.title) for each in self.playable.values()]
        if len(self.playable) == 1:
            del self.fields["rules"]
        if user is not None:
            del self.fields["name"]
        if count == 1:
            del self.fields["seat"], self.fields["listed"]
        for index in range(count if count > 1 else 0):
            self.fields[f"player{index}"] = forms.ChoiceField(
                label=self.names[index], required=False, choices=self._choices(), initial=self._usual
            )

    def _choices(self) -> list[Any]:
        house = [(f"house:{each.name}", _called(each)) for each in self.game.house]
        groups: list[Any] = [("House players", house), ("People", [(OPEN, "Open seat, for a friend")])]
        if self.versions:
            own = [(key, f"{it.team.name}, version {it.number}") for key, it in self.versions.items()]
            groups.append(("Your own bots", own))
        return groups

    @property
    def chosen_seat(self) -> str:
        return self["seat"].value() or "any"

    @property
    def _usual(self) -> str:
        return f"house:{levels(self.game)['medium'].name}"

    @property
    def rows(self) -> Iterator[Row]:
        """The seats, where there is more than one."""
        for index, name in enumerate(self.names):
            if f"player{index}" in self.fields:
                yield Row(index, name, self[f"player{index}"])

    @property
    def level_choices(self) -> list[tuple[str, str]]:
        """For one field that sets all opponents at once: what each is called, and the choice it stands for."""
        found = levels(self.game).items()
        return [(f"house:{house.name}", f"{name.capitalize()}: {house.skill}") for name, house in found]

    def wish(self) -> Wish:
        """The table that was asked for. Only when the form is valid."""
        data = self.cleaned_data
        rules = self.playable.get(data.get("rules") or "") or next(iter(self.playable.values()))
        wanted = data.get("seat") or "any"
        seat = 0 if wanted == "any" else int(wanted)
        places = [self._place(data.get(f"player{index}") or self._usual) for index in range(len(self.names))]
        if wanted == "any":
            seat = self._nearest(places)
        places[seat] = Place(CasualSeat.Kind.PERSON)
        return Wish(
            game=self.game,
            preset=rules.preset,
            options=rules.options,
            places=places,
            seat=seat,
            pace=data.get("pace") or CasualGame.Pace.RELAXED,
            coached=bool(data.get("coached")),
            listed=bool(data.get("listed")),
        )

    def _nearest(self, places: list[Place]) -> int:
        """The seat at the bottom of the table, or another one that a house player would have."""
        order = [len(places) // 2 % len(places), *range(len(places))]
        return next((each for each in order if places[each].kind == CasualSeat.Kind.HOUSE), order[0])

    def _place(self, choice: str) -> Place:
        kind, _, name = choice.partition(":")
        if kind == "version":
            return Place(CasualSeat.Kind.VERSION, submission=self.versions[choice])
        return Place(CasualSeat.Kind.HOUSE, house=name) if kind == "house" else Place(CasualSeat.Kind.PERSON)


def _called(house: House) -> str:
    """Such as `Rat (random)`; just `Card counter` where the name says how it plays."""
    name = house.title or house_name(house.name)
    return house.skill.capitalize() if is_telling(name, house) else f"{name} ({house.skill})"


def _versions(game: Game, user: User | None) -> list[Submission]:
    """The newest versions of somebody's teams that can play."""
    if user is None:
        return []
    found = Submission.objects.ready().filter(team__memberships__user=user, team__contest__game_slug=game.slug)
    return list(found.select_related("team__contest").without_source().order_by("-pk")[:MOST_VERSIONS])
