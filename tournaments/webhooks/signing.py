"""The headers of a message as Standard Webhooks 1.0 says: https://www.standardwebhooks.com/."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Sequence

from tournaments.models.webhooks import SECRET_PREFIX

ID, TIMESTAMP, SIGNATURE = "webhook-id", "webhook-timestamp", "webhook-signature"


def signature(secret: str, message: str, timestamp: int, payload: str) -> str:
    """HMAC-SHA256 of the message's name, the time of this try in seconds, and the body."""
    key = base64.b64decode(secret.removeprefix(SECRET_PREFIX))
    digest = hmac.digest(key, f"{message}.{timestamp}.{payload}".encode(), hashlib.sha256)
    return f"v1,{base64.b64encode(digest).decode()}"


def headers(secrets: Sequence[str], message: str, timestamp: int, payload: str) -> dict[str, str]:
    """With a signature for each secret: after a change, receivers may check with the old or the new one."""
    signed = " ".join(signature(secret, message, timestamp, payload) for secret in secrets)
    return {ID: message, TIMESTAMP: str(timestamp), SIGNATURE: signed}
