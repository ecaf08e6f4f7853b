"""Practice on the portal: games that never count, against whom one wants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.phrases import amount
from games.portal.matches import find_team, write
from games.portal.screen import moment, number, points
from games.portal.session import Session
from games.portal.trouble import DONE, REJECTED

OPEN = "open"
KINDS = ("house:", "version:", "team:")


def practice(here: Session) -> int:
    """Order games, and with --wait print what came of them."""
    asked = here.arguments
    data = {
        "version": asked.version,
        "opponents": [player_key(here, name) for name in asked.opponents or []],
        "seat": asked.seat,
        "games": asked.games,
        "seed": asked.seed,
        "again": asked.again,
    }
    sent = {name: value for name, value in data.items() if value not in (None, [])}
    order = here.portal.post(here.in_contest("/practice"), sent)
    if not asked.wait:
        here.screen.value(order)
        here.screen.say(f"Order {order['id']}: {amount(order['games'], 'games')} of version {order['version']}.")
        here.screen.say(f"`kibitz practices {order['id']} --wait` waits for them. Page: {order['page']}")
        return DONE
    here.screen.say(f"Order {order['id']}: {order['page']}")
    return _report(here, followed(here, here.in_contest(f"/practice/{order['id']}"), _progress))


def player_key(here: Session, name: str) -> str:
    """`house:NAME`, `version:N` and `team:ID` as they are, otherwise a team by its name."""
    if name.startswith("team:"):
        return f"team:{find_team(here, name.removeprefix('team:'))}"
    return name if name.startswith(KINDS) else f"team:{find_team(here, name)}"


def practices(here: Session) -> int:
    """All orders, or one: its figures, its games, a record."""
    asked = here.arguments
    if asked.order is None:
        return _listed(here)
    path = here.in_contest(f"/practice/{asked.order}")
    if asked.cancel:
        order = here.portal.post(f"{path}/cancel")
    elif asked.game:
        write(here, here.portal.ask("GET", f"{path}/games/{asked.game}/record").text)
        return DONE
    else:
        order = followed(here, path, _progress) if asked.wait else here.portal.get(path)
    return _report(here, order)


def _listed(here: Session) -> int:
    found = list(here.portal.pieces(here.in_contest("/practice"), here.arguments.limit or 20))
    here.screen.value(found)
    rows = [
        (
            it["id"],
            it["state"],
            it["version"],
            ", ".join(each["player"] for each in it["opponents"]),
            f"{it['played']} of {it['games']}",
            percent(it["win_rate"]),
            number(it["points"], 2),
            moment(it["made_at"]),
        )
        for it in found
    ]
    columns = [">ORDER", "STATE", ">VERSION", "OPPONENTS", ">GAMES", ">WINS", ">POINTS", "ORDERED"]
    here.screen.table(columns, rows, "Your team has not practised yet: kibitz practice")
    return DONE


def followed(here: Session, path: str, progress: Callable[[Any], tuple[float, float, str]]) -> Any:
    """Wait until an order or a trial is over, and return it. `progress`: how much is done, of how much, in words."""
    bar, told = here.screen.bar, ""
    for found in here.portal.changes(path):
        done, total, words = progress(found)
        bar.show(done, total, words)
        if found["state"] != OPEN:
            bar.clear()
            return found
        if not bar.works and words != told and not here.screen.as_json:
            here.screen.note(words)
        told = words
    raise AssertionError("changes are endless")


def _progress(order: Mapping[str, Any]) -> tuple[float, float, str]:
    return order["played"], order["games"], f"{order['played']} of {amount(order['games'], 'games')}"


def _report(here: Session, order: Mapping[str, Any]) -> int:
    say, figures = here.screen.say, order["figures"]
    here.screen.value(order)
    played = f"{order['played']} of {amount(order['games'], 'games')}"
    say(f"Order {order['id']}, version {order['version']}: {order['state']}, {played}. {order['why']}".rstrip())
    against = [{**it, "title": f"Against {it['title']}"} for it in figures["by_opponent"]]
    lines = [figures, *(figures["by_seat"] if order["seat"] is None else []), *against]
    rows = [
        (it["title"], it["games"], percent(it["win_rate"]), _interval(it), number(it["points"], 2), _margin(it))
        for it in lines
        if it["games"]
    ]
    here.screen.table(["", ">GAMES", ">WINS", "95 %", ">POINTS", "95 %"], rows)
    if against:
        say("Against an opponent, the better place wins, and the points are yours minus theirs.")
    games = [
        (it["number"], it["seat_name"], it["state"], it["place"], points(it["points"]), it["faults"] or "", it["seed"])
        for it in order["game_list"]
    ]
    say("")
    here.screen.table([">GAME", "SEAT", "STATE", ">PLACE", ">POINTS", ">FAULTS", ">SEED"], games)
    say("", f"Page: {order['page']}")
    return REJECTED if order["state"] == "failed" else DONE


def percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.0f} %"


def _interval(line: Mapping[str, Any]) -> str:
    low, high = line["win_low"], line["win_high"]
    return "" if low is None else f"{100 * low:.0f}–{100 * high:.0f} %"


def _margin(line: Mapping[str, Any]) -> str:
    return "" if line["points_margin"] is None else f"± {line['points_margin']:.2f}"


def opponents(here: Session) -> None:
    """Possible opponents, and your quota."""
    path = here.in_contest("/practice")
    if here.arguments.accept:
        wish = {"accepts_practice": here.arguments.accept == "yes"}
        here.portal.post(f"{path}/acceptance", wish)
    found = here.portal.get(f"{path}/opponents")
    here.screen.value(found)
    if found["why_not"]:
        here.screen.say(found["why_not"])
    here.screen.say(f"You can order {amount(found['games_left'], 'games')} now, {found['games_per_hour']} an hour.")
    accepts = "may" if found["accepts_practice"] else "may not"
    here.screen.say(f"Other teams {accepts} practise against yours (--accept yes or no).")
    here.screen.table(["PLAYER", "NAME"], [(it["key"], it["player"]) for it in found["opponents"]])
