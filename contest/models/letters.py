"""Outgoing mail that waits for the mail server."""

from __future__ import annotations

from django.core.mail import EmailMessage
from django.db import models
from django.utils import timezone


class Letter(models.Model):
    """A message to one recipient, in plain text, until the mail server has taken it or refuses it for good."""

    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now, db_index=True)
    tries = models.PositiveIntegerField(default=0)
    sender = models.TextField()
    recipient = models.TextField()
    subject = models.TextField()
    body = models.TextField()
    headers = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"“{self.subject}” to {self.recipient}"

    def message(self) -> EmailMessage:
        return EmailMessage(self.subject, self.body, self.sender, [self.recipient], headers=self.headers)
