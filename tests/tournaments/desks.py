"""The organiser's pages, requested as a browser requests them."""

from __future__ import annotations

import re
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tests.tournaments.stagecraft import Hall


def text_of(response: HttpResponse) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


class Desk:
    """Pages as text with single spaces. A request fails if the response has another status."""

    def __init__(self, hall: Hall, client: Client) -> None:
        self.hall, self.client = hall, client

    def url(self, name: str, /, *args: object) -> str:
        return reverse(name, args=[self.hall.contest.slug, *args])

    def get(self, name: str, /, *args: object, status: int = 200, **query: Any) -> str:
        response = self.client.get(self.url(name, *args), query)
        assert response.status_code == status, response.content.decode()[:2000]
        return text_of(response)

    def post(self, name: str, /, *args: object, status: int = 302, follow: bool = True, **data: Any) -> str:
        response = self.client.post(self.url(name, *args), data)
        assert response.status_code == status, response.content.decode()[:3000]
        if status == 302 and follow:
            return text_of(self.client.get(response["Location"]))
        return text_of(response)
