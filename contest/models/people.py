"""Accounts."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.db import models, transaction
from django.db.models import Q

from contest.names import FoldedField, Name, Named, NameField, folded, is_username, isolated, one_line

FORMER = "a former member"


class User(Named, AbstractUser):
    """An account. People log in by user name or e-mail. Strangers see only the user name."""

    username = NameField(
        max_length=150,
        unique=True,
        validators=[AbstractUser.username_validator, is_username],
        error_messages={"unique": "A user with that username already exists."},
    )
    key = FoldedField(of="username", unique=True)
    first_name = NameField("first name", max_length=150, blank=True)
    last_name = NameField("last name", max_length=150, blank=True)
    mail_news = models.BooleanField(default=True)  # send answers and announcements by e-mail (mailing.py)
    mail_matches = models.BooleanField(default=True)  # and that matches of their team were played
    is_public = models.BooleanField(default=True)  # has a page that everybody can open
    shows_casual = models.BooleanField(default=False)  # on that page
    left_at = models.DateTimeField(null=True, blank=True, editable=False)
    """When the account was deleted (contest/leaving.py). The row stays for what others did with it, without a name."""

    def __str__(self) -> str:
        return Name(self.username if self.left_at is None else FORMER)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A new password also revokes the account's tokens: whoever had the old one may have made some. Django stores
        a stronger hash of the same password through here, too, but then there is no new `_password`."""
        is_new = self.pk is not None and self.__dict__.get("_password") is not None
        with transaction.atomic():
            super().save(*args, **kwargs)
            if is_new:
                self.tokens.revoke()

    @classmethod
    def named(cls, typed: str) -> User | None:
        """The account with this username, however it is typed. Of old ones that are the same for us, the exact one."""
        typed = one_line(typed)
        found = cls.objects.filter(Q(username=typed) | Q(key=folded(typed)))
        return min(found, key=lambda it: it.username != typed, default=None)

    @property
    def called(self) -> str:
        """Real name and user name, for the person's team and the organisers: "Ada Lovelace (ada)"."""
        if self.left_at is not None:
            return FORMER
        name = self.get_full_name()
        return f"{isolated(name)} ({self})" if name else str(self)


AnyUser = User | AnonymousUser
