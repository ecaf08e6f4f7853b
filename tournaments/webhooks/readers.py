"""As whom a webhook reads: a team's like a member of it, the desk's like an organiser, and never with more rights than
the person in `reads_as` has at that moment. A follower's is read for in `following`."""

from __future__ import annotations

from collections.abc import Collection, Hashable
from dataclasses import dataclass

from contest.models import Contest, Team
from contest.permissions import Access, accesses_of
from tournaments.models import Webhook
from tournaments.results.visibility import Sight


@dataclass(frozen=True, slots=True)
class Reader:
    """`key` is the same for all who see the same entries."""

    key: Hashable
    sight: Sight


def readers_of(webhooks: Collection[Webhook], contest: Contest) -> dict[int, Reader]:
    """The readers by the ids of their webhooks, which must have loaded `reads_as`. Webhooks that may know nothing are
    missing. Two queries; webhooks that see the same share their reader."""
    rights = accesses_of([webhook.reads_as for webhook in webhooks if webhook.reads_as], contest)
    found: dict[int, Reader] = {}
    shared: dict[Hashable, Reader] = {}
    for webhook in webhooks:
        access = _as_owner(webhook, rights.get(webhook.reads_as_id or 0))
        if access is not None:
            key = _key(access)
            found[webhook.pk] = shared.setdefault(key, Reader(key, Sight(access)))
    return found


def may_read(webhook: Webhook) -> bool:
    """Whether it may know anything at all now."""
    if webhook.contest is None:
        return webhook.follower is not None and webhook.follower.is_active
    return webhook.pk in readers_of([webhook], webhook.contest)


def _as_owner(webhook: Webhook, access: Access | None) -> Access | None:
    """The rights with which this webhook reads. None: the person has lost them."""
    if access is None:
        return None
    if webhook.team_id is None:
        return access if access.organises else None
    mine = access.membership
    if mine is None or mine.team_id != webhook.team_id:
        return None
    return Access(access.contest, membership=mine)  # without a role that the member may also have


def _key(access: Access) -> Hashable:
    if access.team is None or access.sees_results:
        return "desk"
    hidden = access.team.state in (Team.State.PENDING, Team.State.REFUSED)
    return access.team.pk if hidden else "team"  # only they see entries that other teams do not
