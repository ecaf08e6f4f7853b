"""Who may do what. Every view of a contest has exactly one of these decorators:

    @contest_page   everyone who may see the contest; the view gets (request, contest, …)
    @member_page    members of a team: (request, contest, team, …); others are sent to the page to enter
    @desk_page      all roles may look (GET), organisers and owners may change
    @organiser_page organisers and owners only
    @owner_page     all roles may look (GET), only owners may change
    @role_page      all roles may look and submit forms

- A contest that the reader may not see is not found (404), so nobody learns that it exists.
- A page that needs an account redirects to the log-in page and back.
- A page that needs another role answers 403.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.crypto import constant_time_compare

from contest import zones
from contest.models import AnyUser, ApiToken, Contest, Membership, Role, Team, User
from contest.models.contests import TeamQuerySet

View = Callable[..., HttpResponseBase]
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True)
class Access:
    """The rights of one reader in one contest, derived here and nowhere else from role and membership."""

    contest: Contest
    role: str | None = None  # a Role.Kind
    membership: Membership | None = None
    is_superuser: bool = False
    watches: bool = False  # came through the link for spectators
    as_public: bool = False  # has a role but asked for the public view

    @property
    def team(self) -> Team | None:
        return self.membership.team if self.membership else None

    def teams(self) -> TeamQuerySet:
        """The teams that they may know of: others than their own not while these wait for approval or were refused."""
        everybody = self.contest.teams.all() if self.sees_results else self.contest.teams.listed()
        return everybody | self.contest.teams.filter(pk=self.team.pk) if self.team else everybody

    @property
    def may_enter(self) -> bool:
        """Whether this person may enter the contest, not just watch."""
        open_to_all = self.contest.visibility != Contest.Visibility.PRIVATE
        return open_to_all or self.sees_desk or self.membership is not None

    @property
    def sees(self) -> bool:
        return self.may_enter or self.watches

    @property
    def sees_results(self) -> bool:
        """Whether they see results that are hidden from the public (tournaments.results.visibility)."""
        return self.sees_desk and not self.as_public

    def knows_later_deadline(self, team: Team) -> bool:
        """Whether a team may upload longer than others, and this reader may know. All may once a stage has begun."""
        return team.has_later_deadline and (self.sees_results or self.team == team or self.contest.tells_of_start())

    @cached_property
    def is_frozen(self) -> bool:
        """Looked at once, so that no revision of a frozen contest is told with results from after that."""
        return self.contest.is_frozen()

    @property
    def revision(self) -> str:
        """Changes whenever something changes that this reader may see. Live pages poll with it."""
        if self.sees_results:
            return str(self.contest.revision)
        return f"{self.contest.public_revision}{'f' if self.is_frozen else 'p'}"

    @property
    def sees_desk(self) -> bool:
        return self.role is not None or self.is_superuser

    @property
    def organises(self) -> bool:
        return self.role in Role.ACTING or self.is_superuser

    @property
    def owns(self) -> bool:
        return self.role == Role.Kind.OWNER or self.is_superuser

    @property
    def role_name(self) -> str:
        """One word for the page header."""
        return (self.role or ("administrator" if self.is_superuser else "")).capitalize()


def access_of(user: AnyUser, contest: Contest, token: ApiToken | None = None) -> Access:
    """Query the database: two queries, none for visitors without an account. A token gives only what its scopes say."""
    if not user.is_authenticated:
        return Access(contest)
    role = membership = None
    at_desk = token is None or token.at_desk
    if at_desk:
        role = Role.objects.filter(contest=contest, user=user).values_list("role", flat=True).first()
    if token is None or token.in_team:
        membership = Membership.objects.filter(contest=contest, user=user).select_related("team").first()
    if membership:
        membership.team.contest = contest
    return Access(contest, role, membership, user.is_superuser and at_desk)


def accesses_of(users: Collection[User], contest: Contest) -> dict[int, Access]:
    """The rights of several people, by id: two queries. Closed accounts have none."""
    people = [user for user in users if user.is_active]
    roles = dict(Role.objects.filter(contest=contest, user__in=people).values_list("user", "role"))
    memberships = Membership.objects.filter(contest=contest, user__in=people).select_related("team")
    teams = {membership.user_id: membership for membership in memberships}
    for membership in teams.values():
        membership.team.contest = contest
    return {it.pk: Access(contest, roles.get(it.pk), teams.get(it.pk), it.is_superuser) for it in people}


def access(request: HttpRequest, contest: Contest) -> Access:
    """The same, computed once per request. Templates get it by `{% access as access %}`."""
    known: dict[int, Access] = request.__dict__.setdefault("_access", {})
    if contest.pk not in known:
        found = access_of(request.user, contest, token_of(request))
        watches = bool(contest.spectator_code) and _kept(request, WATCHING, contest) == contest.spectator_code
        as_public = found.sees_desk and _asked_as_public(request, contest)
        known[contest.pk] = replace(found, watches=watches, as_public=as_public)
    return known[contest.pk]


def revision_of(request: HttpRequest) -> str:
    """The revision by which the reader of an answer polls; blank if it was not about one contest, nor the home page."""
    asked: dict[int, Access] = request.__dict__.get("_access", {})
    return next(iter(asked.values())).revision if len(asked) == 1 else request.__dict__.get("_revision", "")


def token_of(request: HttpRequest) -> ApiToken | None:
    """The token that the request was made with (contest.api.requests)."""
    return getattr(request, "api_token", None)


WATCHING = "watching"
"""Session key: {contest id: code of the spectator link that was followed}."""


def watch(request: HttpRequest, contest: Contest, code: str) -> bool:
    """Let the holder of the spectator link watch the contest until the link is replaced. False if the code is wrong."""
    if not contest.spectator_code or not constant_time_compare(code, contest.spectator_code):
        return False
    request.session[WATCHING] = {**request.session.get(WATCHING, {}), str(contest.pk): code}
    return True


AS_PUBLIC = "as_public"
"""Session key: {contest id: True} while someone with a role uses the public view."""


def _asked_as_public(request: HttpRequest, contest: Contest) -> bool:
    """`?as=public` lasts for the session, until `?as=me`, so that links and live parts stay in the same view."""
    asked = request.GET.get("as")
    if token_of(request):
        return asked == "public"  # a token has no session
    if asked in ("public", "me"):
        request.session[AS_PUBLIC] = {**request.session.get(AS_PUBLIC, {}), str(contest.pk): asked == "public"}
    return bool(_kept(request, AS_PUBLIC, contest))


def _kept(request: HttpRequest, name: str, contest: Contest) -> object:
    return request.session.get(name, {}).get(str(contest.pk))


def me(request: HttpRequest) -> User:
    """The account that is logged in, in views whose decorator requires one."""
    assert isinstance(request.user, User)
    return request.user


def may_create_contests(user: AnyUser) -> bool:
    everybody = getattr(settings, "ALLOW_EVERYBODY_TO_CREATE", False)
    return bool(user.is_authenticated and user.is_active and (everybody or user.is_staff or user.is_superuser))


def get_contest(request: HttpRequest, slug: str) -> Contest:
    """The contest if this user may see it; raises Http404 otherwise."""
    contest = get_object_or_404(Contest, slug=slug)
    if not access(request, contest).sees:
        raise Http404("no contest of that name")
    zones.use(contest.time_zone)
    return contest


def contest_page(view: View) -> View:
    @wraps(view)
    def page(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return view(request, get_contest(request, slug), *args, **kwargs)

    return page


def member_page(view: View) -> View:
    @wraps(view)
    def page(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
        contest = get_contest(request, slug)
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        team = access(request, contest).team
        if team is None:
            messages.info(request, "You are not in a team of this contest yet.")
            return redirect("enter", contest.slug)
        return view(request, contest, team, *args, **kwargs)

    return page


def _page_for(sees: Callable[[Access], bool], acts: Callable[[Access], bool]) -> Callable[[View], View]:
    """A decorator: `sees` says who may look, `acts` who may submit forms."""

    def decorate(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
            contest = get_contest(request, slug)
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            allowed = sees if request.method in SAFE_METHODS else acts
            if not allowed(access(request, contest)):
                raise PermissionDenied("Your role in this contest does not allow this.")
            return view(request, contest, *args, **kwargs)

        return page

    return decorate


desk_page = _page_for(sees=lambda it: it.sees_desk, acts=lambda it: it.organises)
organiser_page = _page_for(sees=lambda it: it.organises, acts=lambda it: it.organises)
owner_page = _page_for(sees=lambda it: it.sees_desk, acts=lambda it: it.owns)
role_page = _page_for(sees=lambda it: it.sees_desk, acts=lambda it: it.sees_desk)


def creator_page(view: View) -> View:
    """A view for people who may create contests."""

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        if not may_create_contests(request.user):
            raise PermissionDenied("Only staff can create contests on this portal.")
        return view(request, *args, **kwargs)

    return page
