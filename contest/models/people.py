"""Accounts."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser, AnonymousUser
from django.db import models, transaction


class User(AbstractUser):
    """An account. People log in by user name or e-mail. Strangers see only the user name."""

    mail_news = models.BooleanField(default=True)  # send answers and announcements by e-mail (mailing.py)

    def __str__(self) -> str:
        return self.username

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A new password also revokes the account's tokens: whoever had the old one may have made some. Django stores
        a stronger hash of the same password through here, too, but then there is no new `_password`."""
        is_new = self.pk is not None and self.__dict__.get("_password") is not None
        with transaction.atomic():
            super().save(*args, **kwargs)
            if is_new:
                self.tokens.revoke()

    @property
    def called(self) -> str:
        """Real name and user name, for the person's team and the organisers: "Ada Lovelace (ada)"."""
        name = self.get_full_name()
        return f"{name} ({self.username})" if name else self.username


AnyUser = User | AnonymousUser
