"""The pages that everybody sees."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from contest.models import Contest
from contest.permissions import contest_page


def home(request: HttpRequest) -> HttpResponse:
    contests = Contest.objects.visible_to(request.user)
    return render(request, "contest/home.html", {"contests": contests})


@contest_page
def contest(request: HttpRequest, contest: Contest) -> HttpResponse:
    return render(request, "contest/contest.html", {"contest": contest})
