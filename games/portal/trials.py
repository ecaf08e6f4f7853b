"""Trials on the portal: is one version better than another?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.portal.practice import followed, player_key
from games.portal.screen import moment, number
from games.portal.session import Session
from games.portal.trouble import DONE, REJECTED

BETTER = "better"
ANSWERS = {
    BETTER: "Version {new} is better than version {old}.",
    "not_better": "Version {new} is not better than version {old}.",
    "no_difference": "Versions {new} and {old} play the same.",
    "undecided": "Undecided: {pairs} pairs were not enough to tell.",
}
"""By the decision of a trial."""


def trial(here: Session) -> int:
    """Start a trial. Exit status with --wait: 0 if the new version is better, 1 if that is not shown."""
    asked = here.arguments
    data = {name: getattr(asked, name) for name in ("new", "old", "measure", "cap", "seed")}
    data["low"], data["high"] = asked.bounds or (None, None)
    data["opponents"] = [player_key(here, name) for name in asked.opponents or []]
    sent = {name: value for name, value in data.items() if value not in (None, [])}
    found = here.portal.post(here.in_contest("/trials"), sent)
    if not asked.wait:
        here.screen.value(found)
        here.screen.say(f"Trial {found['id']} of version {found['new']} against version {found['old']} has begun.")
        here.screen.say(f"`kibitz trials {found['id']} --wait` waits for the answer. Page: {found['page']}")
        return DONE
    here.screen.say(f"Trial {found['id']}: {found['page']}")
    return _report(here, followed(here, here.in_contest(f"/trials/{found['id']}"), _progress))


def trials(here: Session) -> int:
    """All trials, or one with its answer so far."""
    asked = here.arguments
    if asked.trial is None:
        return _listed(here)
    path = here.in_contest(f"/trials/{asked.trial}")
    if asked.cancel:
        found = here.portal.post(f"{path}/cancel")
    else:
        found = followed(here, path, _progress) if asked.wait else here.portal.get(path)
    status = _report(here, found)
    return status if asked.wait else DONE


def _listed(here: Session) -> int:
    found = list(here.portal.pieces(here.in_contest("/trials"), here.arguments.limit or 20))
    here.screen.value(found)
    rows = [
        (
            it["id"],
            it["new"],
            it["old"],
            (it["decision"] or it["state"]).replace("_", " "),
            f"{it['pairs']} of {it['cap']}",
            number(it["difference"], 3),
            moment(it["made_at"]),
        )
        for it in found
    ]
    columns = [">TRIAL", ">NEW", ">OLD", "ANSWER", ">PAIRS", ">DIFFERENCE", "STARTED"]
    here.screen.table(columns, rows, "Your team has no trials yet: kibitz trial NEW OLD")
    return DONE


def _progress(found: Mapping[str, Any]) -> tuple[float, float, str]:
    """How near the answer is: as near as the ratio is to its limit, or the pairs to their cap."""
    share = abs(found["log_likelihood_ratio"]) / found["limit"] if found["limit"] else 0
    return max(share, found["pairs"] / found["cap"]), 1, _so_far(found)


def _so_far(found: Mapping[str, Any]) -> str:
    difference = "" if found["difference"] is None else f", difference {_amount(found, found['difference'])}"
    return f"{found['pairs']} of at most {found['cap']} pairs{difference}"


def _report(here: Session, found: Mapping[str, Any]) -> int:
    say = here.screen.say
    here.screen.value(found)
    answer = ANSWERS.get(found["decision"], f"Trial {found['id']} has no answer. {found['why']}")
    say(answer.format(**found).rstrip(), f"{_so_far(found)}{_interval(found)}")
    say(
        f"Better in {found['better']} pairs, worse in {found['worse']}, equal in {found['equal']}; "
        f"the same decisions in {found['identical']}."
    )
    say("A positive difference means that the new version did better.")
    if found["decided_by"]:
        say("", "Pairs that moved it most:")
        rows = [(it["pair"], it["seat"], _amount(found, it["difference"]), it["seed"]) for it in found["decided_by"]]
        here.screen.table([">PAIR", "SEAT", ">DIFFERENCE", ">SEED"], rows)
    if found["first_differences"]:
        say("", "Where the two first differ:")
    for pair in found["first_differences"][:3]:
        say(f"Pair {pair['pair']}", f"  version {found['new']}: {pair['new_did']}")
        say(f"  version {found['old']}: {pair['old_did']}")
    say("", f"Page: {found['page']}")
    return DONE if found["decision"] == BETTER else REJECTED


def _amount(found: Mapping[str, Any], value: float) -> str:
    return f"{100 * value:+.1f} % of the games" if found["measure"] == "wins" else f"{value:+.2f} a game"


def _interval(found: Mapping[str, Any]) -> str:
    if found["lower"] is None or found["upper"] is None:
        return ""
    return f", between {_amount(found, found['lower'])} and {_amount(found, found['upper'])}"
