"""What people say of a webhook."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.encoding import iri_to_uri

from contest.forms import MergingForm
from contest.models import Kind
from contest.setup_forms import moment
from tournaments.models import Webhook
from tournaments.webhooks import following
from tournaments.webhooks.addresses import is_refused_by_name

LONGEST = 500


def normalised(url: str) -> str:
    """The address as it is requested. Raises ValidationError."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        name = host if ":" in host else host.encode("idna").decode()
    except (ValueError, UnicodeError):
        raise ValidationError("This is not a valid address.") from None
    if parts.scheme not in ("http", "https") or not name or any(it.isspace() or not it.isprintable() for it in url):
        raise ValidationError("Enter a complete address that begins with https:// or http://.")
    if "@" in parts.netloc:
        raise ValidationError("The address must not contain a user name or password. Check the signature instead.")
    if port == 0:
        raise ValidationError("The port must be between 1 and 65535.")
    if is_refused_by_name(name):
        raise ValidationError(f"{host} is not a public address, so the portal does not send anything there.")
    netloc = (f"[{name}]" if ":" in name else name) + (f":{port}" if port else "")
    found = iri_to_uri(urlunsplit((parts.scheme, netloc, parts.path or "/", parts.query, "")))
    if len(found) > LONGEST:
        raise ValidationError(f"The address may have at most {LONGEST} characters.")
    return str(found)


class WebhookForm(MergingForm, forms.ModelForm):
    url = forms.CharField(
        label="Address",
        max_length=LONGEST,
        help_text="Where your server receives messages, for example https://example.org/kibitz",
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    kinds = forms.MultipleChoiceField(
        label="Events",
        choices=Kind.choices,
        required=False,
        help_text="Choose none to receive all of them.",
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Webhook
        fields = ("url", "kinds")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.initial.get("url"):
            self.merge()

    def clean_url(self) -> str:
        return normalised(self.cleaned_data["url"].strip())


class NewsWebhookForm(WebhookForm):
    """For a person who follows: the kinds of news are others."""

    kinds = forms.MultipleChoiceField(
        label="News",
        choices=following.KINDS,
        required=False,
        help_text="Choose none to receive all news of what you follow.",
        widget=forms.CheckboxSelectMultiple,
    )


class SinceForm(forms.Form):
    """From when on messages are sent again."""

    since = moment(
        "Sent since", "Messages are kept for seven days.", initial=lambda: timezone.now() - timedelta(hours=1)
    )
