"""What a portal shows to everybody: `python -m tests.contest.server.pages` prints the pages as JSON.

It is run as a process with the settings of a portal, so that two portals can be compared."""

from __future__ import annotations

import json
import os
import re
from collections import deque

MOST = 120


def shown() -> dict[str, str]:
    """By address: the status and what is there, for everything that links lead to from the first page."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "contest.settings")
    from django.conf import settings

    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    django.setup()
    from django.test import Client

    from tests.tournaments import visitors

    client = Client(HTTP_HOST="localhost")
    queue, found = deque(["/"]), dict[str, str]()
    seen = set(queue)
    while queue and len(found) < MOST:
        address = queue.popleft()
        answer = client.get(address)
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        text = content.decode(errors="replace")
        steady = visitors.MOMENT.sub(r"\1", visitors.CHANCE.sub("", text))
        found[address] = f"{answer.status_code}\n{steady}"
        for link in re.findall(r'href="(/[^"#]*)', text):
            link = link.replace("&amp;", "&")
            if link not in seen and not link.startswith(("/static/", "/accounts/", "/admin/", "/play/")):
                seen.add(link)
                queue.append(link)
    return found


if __name__ == "__main__":
    print(json.dumps(shown()))
