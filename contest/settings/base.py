"""What every part of the portal needs: paths, applications, templates, database, language, logs."""

import socket
from pathlib import Path
from urllib.parse import urlsplit

from contest.server import by_hand, privacy
from contest.settings.environment import flag, kept_secret, read_dotenv, text, words

BASE_DIR = Path(__file__).resolve().parents[2]
privacy.begin()  # before anything is written

# Paths and switches ---------------------------------------------------------------------------------------------------

read_dotenv(BASE_DIR / ".env")

VAR_DIR = (BASE_DIR / text("VAR_DIR", "var")).resolve()  # everything the portal writes
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)

DEBUG = flag("DEBUG")
HTTPS = flag("HTTPS")  # served through a proxy that speaks TLS and sets X-Forwarded-Proto
SECRET_KEY = text("SECRET_KEY") or kept_secret(VAR_DIR / "secret_key", make=not by_hand.restores())

PORTAL_URL = text("PORTAL_URL").rstrip("/")  # the public address, such as https://cards.example.org
_public = urlsplit(PORTAL_URL)
# The machine checks its own /healthz, whatever its public name is.
ALLOWED_HOSTS = [*words("ALLOWED_HOSTS", [socket.gethostname().lower()]), "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = words("CSRF_TRUSTED_ORIGINS", [])
if _public.hostname:
    ALLOWED_HOSTS.append(_public.hostname)
    CSRF_TRUSTED_ORIGINS.append(f"{_public.scheme}://{_public.netloc}")

# Applications ---------------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "contest",
    "submissions",
    "tournaments",
    "django.contrib.admin.apps.SimpleAdminConfig",  # registers nothing by itself; see contest/admin.py
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django.forms",  # so that templates/django/forms/ can change how a field looks
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "django_filters",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    "contest.server.requests.middleware",  # gives each request its id
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",  # has static files compressed already
    "contest.compression.Compression",
    "contest.shared_pages.Middleware",  # sees all cookies that others set
    "csp.middleware.CSPMiddleware",
    "contest.browser_headers.Middleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "contest.body_limits.Middleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "contest.zones.middleware",
    "contest.unstorable.Middleware",
    "contest.kept.Middleware",
]

ROOT_URLCONF = "contest.urls"
PROOFS_REQUIRED = flag("PROOFS_REQUIRED", True)  # organisers cannot offer languages that fail on the workers
PROOF_PROGRAMS = "submissions.proving.programs"  # what proves a game in a language; see contest/proofs.py
LANGUAGES_TABLE = "submissions.languages.LANGUAGES"  # the languages for bots; see contest/languages.py
CONTEST_PREPARED_BY = "tournaments.organising.presets.prepare"  # creates a preset's stages; see contest/presets.py
CONTEST_CHECKED_BY = "tournaments.seating.deals.check_contest"  # checks new settings; see contest/contests.py
# Who follows the ledger, and in which order (contest/followers.py).
REACTIONS = (
    "tournaments.kinds.following.STAGES",
    "tournaments.organising.news.NEWS",
    "tournaments.organising.played.PLAYED",
    "tournaments.feeds.writing.FEEDS",
    "tournaments.webhooks.reading.WEBHOOKS",
)
# What is kept about a person (contest/personal.py).
PERSONAL_DATA = ("contest.personal.PARTS", "submissions.personal.PARTS", "tournaments.personal.PARTS")
# What clients can wait for with `?wait=` (contest/waiting.py).
SUBJECTS = (
    "contest.subjects.READ",
    "contest.changes.READ",
    "submissions.subjects.READ",
    "tournaments.practice.subjects.READ",
)
WSGI_APPLICATION = "contest.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# A pasted source may be as large as an uploaded one: four bytes per character of the largest `source_kb`, and the form.
DATA_UPLOAD_MAX_MEMORY_SIZE = 20 * 1024 * 1024
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

TEMPLATE_LOADERS = [
    "django.template.loaders.filesystem.Loader",
    "django.template.loaders.app_directories.Loader",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [("django.template.loaders.cached.Loader", TEMPLATE_LOADERS)],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Language, time, logs -------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
USE_I18N = True
USE_TZ = True
TIME_ZONE = text("TIME_ZONE", "UTC")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"()": "contest.server.logs.PlainFormatter"},
        "json": {"()": "contest.server.logs.JsonFormatter"},
    },
    "filters": {
        "in_a_line": {"()": "contest.server.absences.InALine"},  # a database that is away is no traceback
        "context": {"()": "contest.server.logs.Context"},  # which request, task, match a line is about
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": text("LOG_FORMAT", "plain"),
            "filters": ["in_a_line", "context"],
        }
    },
    "root": {"handlers": ["stderr"], "level": text("LOG_LEVEL", "INFO").upper()},
    "loggers": {"django": {"handlers": [], "propagate": True}, "django.server": {"handlers": [], "propagate": True}},
}
