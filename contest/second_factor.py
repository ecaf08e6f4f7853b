"""The second factor: allauth's, with its secrets encrypted in the database."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from hashlib import sha256

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet
from django.conf import settings


def _box() -> Fernet:
    return Fernet(urlsafe_b64encode(sha256(f"second factor:{settings.SECRET_KEY}".encode()).digest()))


class SecondFactor(DefaultMFAAdapter):
    """A copy of the database alone lets nobody log in: the key follows from SECRET_KEY. With a new one, people set up
    their apps anew after an administrator has deleted the old entries."""

    def encrypt(self, text: str) -> str:
        return _box().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _box().decrypt(encrypted_text.encode()).decode()
