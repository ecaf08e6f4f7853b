"""Log in to portals, log out, and choose what commands are about."""

from __future__ import annotations

import getpass
import sys
from urllib.parse import urlsplit

from games.portal import store
from games.portal.http import Portal, address_of
from games.portal.screen import moment
from games.portal.session import Session
from games.portal.trouble import NO_ACCESS, Trouble


def login(here: Session) -> None:
    address = address_of(here.arguments.address)
    Portal(address, note=here.screen.note).get("/contests", limit=1)  # nobody should type a token for a wrong address
    token = here.arguments.token or _typed(address)
    if not token:
        hint = f"Make one at {address}/accounts/tokens/ and paste it here."
        raise Trouble("No token was given.", hint, status=NO_ACCESS, code="usage")
    me = Portal(address, token, note=here.screen.note).get("/me")
    if address.startswith("http:") and urlsplit(address).hostname not in ("localhost", "127.0.0.1", "::1"):
        here.screen.note(f"{address} is not encrypted: others in the network can read your token.")
    here.store.remember(address, token=token, username=me["username"])
    here.screen.value({"portal": address, **me})
    here.screen.say(f"Logged in to {address} as {me['username']}.", *_rights(me))


def _typed(address: str) -> str:
    """The token, from a terminal without showing it, or from a pipe."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().strip()
    print(f"Make a token at {address}/accounts/tokens/", file=sys.stderr)
    return getpass.getpass("Token: ").strip()


def _rights(me: dict[str, object]) -> list[str]:
    scopes = me["scopes"]
    assert isinstance(scopes, list)
    lines = [f"The token “{me['token']}” may: {', '.join(scopes) or 'only read what everybody may read'}."]
    if expires := me["expires_at"]:
        lines.append(f"It expires on {moment(str(expires))}.")
    return lines


def logout(here: Session) -> None:
    known = here.store.portals
    if here.arguments.all:
        gone = list(known)
    else:
        named = here.arguments.address or here.store.current
        found = here.store.find(named) or address_of(named) if named else ""
        if found not in known:
            raise Trouble(f"You are not logged in to {found or 'a portal'}.", code="not_logged_in")
        gone = [found]
    for address in gone:
        here.store.forget(address)
        here.screen.say(f"Logged out of {address}. The token still works: revoke it at {address}/accounts/tokens/")
    here.screen.value({"logged_out": gone})


def whoami(here: Session) -> None:
    portal = here.portal
    me = portal.get("/me")
    here.screen.value({"portal": portal.address, **me})
    here.screen.say(f"{me['username']} at {portal.address}", *_rights(me))
    rows = [(place["contest"], place["role"], place["team_name"]) for place in me["places"]]
    here.screen.table(["CONTEST", "ROLE", "TEAM"], rows)


def portals(here: Session) -> None:
    """All portals that this machine has a token for."""
    known = here.store
    found = [
        {
            "portal": address,
            "username": values.get("username", ""),
            "contest": values.get("contest", ""),
            "current": address == known.current,
        }
        for address, values in known.portals.items()
    ]
    here.screen.value(found)
    rows = [("*" if it["current"] else "", it["portal"], it["username"], it["contest"]) for it in found]
    here.screen.table(["", "PORTAL", "YOU", "CONTEST"], rows, "You have not logged in to a portal.")


def use(here: Session) -> None:
    """Choose the contest, and the portal, for commands that name none."""
    portal = here.portal
    here.arguments.contest = here.arguments.chosen
    contest = here.find_contest()
    told = {"portal": portal.address, "contest": contest["slug"]}
    if here.arguments.here:
        path = store.write_folder_settings(contest=contest["slug"], portal=portal.address)
        here.screen.say(f"Commands in this folder are about {contest['name']}. {path.name} says so.")
    else:
        here.store.remember(portal.address, contest=contest["slug"])
        here.screen.say(f"Commands are about {contest['name']} unless they name another contest.")
    here.screen.value(told)
