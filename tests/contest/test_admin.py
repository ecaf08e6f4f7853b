"""Django's admin shows the tables to superusers, without secrets, and changes nothing."""

import pytest
from django.test import Client
from django.urls import reverse

from contest import contests
from contest.admin import site
from contest.models import ApiToken
from tests.cast import make_cast, make_user
from tournaments.models import Webhook


@pytest.mark.long("more")
def test_superusers_read_every_table_without_secrets_and_nobody_changes_anything(db: None) -> None:
    cast = make_cast()
    contests.announce(cast.contest, cast.ada, "Welcome")
    token, _ = ApiToken.issue(cast.ada, "script", ["bot"])
    hook = Webhook.objects.create(contest=cast.contest, url="https://example.org/tell", secret="whsec-1", kinds=[])
    secrets = (cast.root.password, token.digest, hook.secret, hook.url, cast.contest.spectator_code, cast.aces.code)
    client = Client()
    for user in (make_user("stan", is_staff=True), cast.ada):
        client.force_login(user)
        assert client.get(reverse("admin:index")).status_code == 302
        assert client.get(reverse("admin:contest_team_changelist")).status_code == 302
    client.force_login(cast.root)
    for model in site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        pages = [reverse(f"{name}_changelist") + ("?q=a" if model.__name__ == "Team" else "")]
        if (row := model._default_manager.first()) is not None:
            pages.append(reverse(f"{name}_change", args=[row.pk]))
            assert client.post(pages[-1], {"name": "x"}).status_code == 403, model
            assert client.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403, model
        for page in pages:
            shown = client.get(page)
            assert shown.status_code == 200, page
            assert not [secret for secret in secrets if secret and secret in shown.text], page
        assert client.get(reverse(f"{name}_add")).status_code == 403, model
