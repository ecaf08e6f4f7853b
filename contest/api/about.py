"""What the API's description says of itself, and its sections in the order of the page. The settings read it,
so it imports nothing."""

from __future__ import annotations

ABOUT = (
    "Contests between card-playing bots: what the pages show and do, for programs. Reading what everybody may read "
    "needs no token. To try anything else here, log in to the portal or choose *Authorize* and enter a "
    "[token](/accounts/tokens/)."
)

SECTIONS = {
    "me": "you, and what your token may do",
    "contests": "the contests of this portal",
    "games": "games, presets, languages",
    "rules": "rules, limits and starter kits of a contest",
    "results": "stages, matches, records, standings, and the ledger of what happened",
    "teams": "who takes part",
    "team": "your own team",
    "versions": "upload, check and choose versions of your bot",
    "practice": "games that never count",
    "trials": "is the new version better?",
    "news": "announcements and questions",
    "notes": "notes at positions of replays",
    "following": "contests and teams that you follow, and their news",
    "webhooks": "be told what happens",
    "desk": "for organisers and judges",
    "desk overview": "what needs you, what is being played",
    "desk teams": "teams, codes, seeds; disqualify, withdraw, reinstate",
    "desk stages": "create, publish, start, pause, reset",
    "desk matches": "void and restore",
    "desk reviews": "matches played again beside the old ones",
    "desk visibility": "freeze, lift, release",
    "desk news": "announcements, answers, messages to one team",
    "desk data": "downloads",
    "people": "who runs a contest, and who may watch it",
}

TAGS = [{"name": name, "description": about} for name, about in SECTIONS.items()]
