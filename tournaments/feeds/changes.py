"""What people do with what they follow."""

from __future__ import annotations

from typing import Any

from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.utils import timezone

from contest.models import User
from contest.refusal import Refused
from tournaments.models import Follow, FollowSettings
from tournaments.models.feeds import new_key

MOST = 300
_signer = Signer(salt="digest")


@transaction.atomic
def follow(user: User, field: str, pk: int) -> None:
    """`field`: contest or team. The caller has made sure that they may see it."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if Follow.objects.filter(user=user).count() >= MOST:
        raise Refused(f"You follow {MOST} contests and teams, which is the limit.")
    named: dict[str, Any] = {f"{field}_id": pk}
    Follow.objects.get_or_create(user=user, **named)


def unfollow(user: User, field: str, pk: int) -> None:
    Follow.objects.filter(user=user, **{f"{field}_id": pk}).delete()


def settings_of(user: User) -> FollowSettings:
    return FollowSettings.objects.get_or_create(user=user)[0]


def set_digest(user: User, digest: str) -> None:
    """What happened before is not mailed."""
    settings_of(user)
    FollowSettings.objects.filter(user=user).exclude(digest=digest).update(digest=digest, mailed_at=timezone.now())


def renew_key(user: User) -> None:
    """The old address of the private feed stops working."""
    settings_of(user)
    FollowSettings.objects.filter(user=user).update(key=new_key())


def unsubscribe_word(user: User) -> str:
    """For the link in a digest, which needs no log-in."""
    return _signer.sign(str(user.pk))


def unsubscribed_by(word: str) -> User | None:
    try:
        return User.objects.filter(pk=_signer.unsign(word)).first()
    except BadSignature:
        return None
