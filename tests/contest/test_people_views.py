"""Roles on the desk, the link for spectators, and people who play in a contest that they run."""

from typing import Any

from django.urls import reverse

from contest import teams
from contest.models import Contest, Role
from tests.cast import Cast
from tests.contest.test_views import text_of
from tests.tournaments.visitors import visitor


def get(cast: Cast, page: str, *args: Any, user: Any = None) -> Any:
    return visitor(user or cast.olga).get(reverse(page, args=[cast.contest.slug, *args]))


def post(cast: Cast, page: str, *args: Any, user: Any = None, **data: Any) -> Any:
    return visitor(user or cast.olga).post(reverse(page, args=[cast.contest.slug, *args]), data, follow=True)


def add(cast: Cast, who: str, role: str) -> Any:
    return visitor(cast.ada).post(
        reverse("desk-people", args=[cast.contest.slug]), {"who": who, "role": role}, follow=True
    )


def test_an_owner_changes_a_role(cast: Cast) -> None:
    judy, ada = cast.contest.roles.get(user=cast.judy), cast.contest.roles.get(user=cast.ada)
    assert "judy is now organiser" in text_of(post(cast, "desk-person", judy.pk, user=cast.ada, role="organiser"))
    judy.refresh_from_db()
    assert judy.role == "organiser"
    assert "role does not exist" in text_of(post(cast, "desk-person", judy.pk, user=cast.ada, role="emperor"))
    assert "needs at least one owner" in text_of(post(cast, "desk-person", ada.pk, user=cast.ada, role="judge"))
    assert post(cast, "desk-person", judy.pk, user=cast.olga, role="judge").status_code == 403


def test_everybody_but_the_last_owner_gives_up_his_own_role(cast: Cast) -> None:
    said = post(cast, "desk-leave", user=cast.judy)
    assert "You no longer have a role" in text_of(said)
    assert said.redirect_chain[-1][0] == reverse("contest", args=[cast.contest.slug])
    assert not Role.objects.filter(user=cast.judy).exists()
    assert cast.contest.acts.get(verb="give up role").user == cast.judy
    assert "needs at least one owner" in text_of(post(cast, "desk-leave", user=cast.ada))
    Contest.objects.update(visibility=Contest.Visibility.PRIVATE)
    assert post(cast, "desk-leave", user=cast.olga).redirect_chain[-1][0] == "/"
    assert post(cast, "desk-leave", user=cast.root).status_code == 404


def test_a_person_who_organises_and_plays_is_marked_on_both_sides(cast: Cast) -> None:
    assert "Also in a team" not in text_of(get(cast, "desk-people"))
    assert "of the contest:" not in text_of(get(cast, "team-edit", user=cast.alice))
    teams.join(cast.contest, cast.judy, cast.aces.code)
    people = text_of(get(cast, "desk-people"))
    assert "1 person with a role is also in a team" in people
    assert "judy Also in a team Aces" in people
    said = "judy is in this team and judge of the contest"
    assert said in text_of(get(cast, "team-edit", user=cast.alice))
    assert said in text_of(get(cast, "desk-team", cast.aces.pk))
    assert said not in text_of(get(cast, "desk-team", cast.clubs.pk))
    assert said not in text_of(get(cast, "team", cast.aces.pk, user=cast.carl))


def test_the_link_for_spectators_is_made_renewed_and_revoked(cast: Cast) -> None:
    def link() -> str:
        return get(cast, "desk-people").context["link"]

    assert link() == ""
    post(cast, "desk-spectators")
    first = link()
    Contest.objects.update(visibility=Contest.Visibility.PRIVATE)
    assert visitor().get(first, follow=True).status_code == 200
    assert post(cast, "desk-spectators", user=cast.judy).status_code == 403
    post(cast, "desk-spectators")
    second = link()
    assert second != first
    assert [visitor().get(each).status_code for each in (first, second)] == [404, 302]
    assert "no longer works" in text_of(post(cast, "desk-spectators", revoke=""))
    assert "There is no link" in text_of(post(cast, "desk-spectators", revoke=""))
    assert visitor().get(second).status_code == 404
    verbs = cast.contest.acts.filter(verb__contains="spectator").order_by("pk").values_list("verb", "data")
    assert [verb for verb, _ in verbs] == ["make spectator link", "renew spectator link", "revoke spectator link"]
    assert all(second[-10:] not in str(data) for _, data in verbs)
