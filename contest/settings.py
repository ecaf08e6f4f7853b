"""The portal's settings, from top to bottom. It starts with nothing set.

Variables of the environment change them; the table of docs/operations.md lists all of them. Each may also stand in the
file `.env` beside manage.py, which the environment overrides, or as NAME_FILE, the path of a file with the value.
"""

import hashlib
import os
import secrets
import socket
import sys
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from socket import TCP_KEEPCNT, TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_USER_TIMEOUT
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit, urlunsplit

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environ import Env, FileAwareEnv
from redis.backoff import NoBackoff
from redis.retry import Retry

from contest.api.about import ABOUT, TAGS
from contest.server import broker

BASE_DIR = Path(__file__).resolve().parent.parent
# The command of manage.py that somebody has started; blank in processes of the portal, for which others wait
by_hand = sys.argv[1] if len(sys.argv) > 1 and Path(sys.argv[0]).name == "manage.py" else ""
by_hand = "" if by_hand in ("botserver", "casualserver", "worker") else by_hand
os.umask(0o077)  # everything that the portal writes is private from its first byte
Env.read_env(BASE_DIR / ".env")

# How variables are read -----------------------------------------------------------------------------------------------


def text(name: str, default: str = "") -> str:
    """The variable NAME, or the content of the file NAME_FILE, or the default. Blank counts as not set."""
    try:
        return FileAwareEnv.ENVIRON.get(name, "").strip() or default
    except OSError as error:
        sys.exit(f"{name}_FILE cannot be read: {error}")


def flag(name: str, default: bool = False) -> bool:
    value = text(name).lower()
    if value not in ("", *Env.BOOLEAN_TRUE_STRINGS, "0", "false", "no", "off"):
        sys.exit(f"{name} must be 1 or 0, not {value!r}")
    return value in Env.BOOLEAN_TRUE_STRINGS if value else default


def number(name: str, default: int) -> int:
    value = text(name)
    if value and not value.isdecimal():
        sys.exit(f"{name} must be a whole number, not {value!r}")
    return int(value) if value else default


def words(name: str, default: list[str]) -> list[str]:
    """Comma-separated values."""
    return [word.strip() for word in text(name).split(",") if word.strip()] or default


def networks(name: str, default: list[str]) -> list[str]:
    """Addresses and networks, comma-separated."""
    try:
        return [str(ip_network(each, strict=False)) for each in words(name, default)]
    except ValueError as error:
        sys.exit(f"{name} must be addresses or networks: {error}")


def choice(name: str, *values: str) -> str:
    """One of these values. The first is the default."""
    value = text(name, values[0])
    found = [each for each in values if each.lower() == value.lower()]
    if not found:
        sys.exit(f"{name} must be one of {', '.join(values)}, not {value!r}")
    return found[0]


def address(name: str, parse: Callable[[str], dict[str, Any]], example: str) -> dict[str, Any]:
    """What an address says. Empty if it is not set."""
    value = text(name)
    try:
        return parse(value) if value else {}
    except (ValueError, ImproperlyConfigured) as error:
        sys.exit(f"{name} must be an address such as {example}: {error}")


def kept_secret(path: Path, make: bool) -> str:
    """The secret in a private file, created on first use. Safe if two processes start at once. Unless it is to `make`
    the file, a process has a secret of its own where there is none."""
    if not make and not path.exists():
        return secrets.token_urlsafe(50)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="utf-8").strip()
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(secrets.token_urlsafe(50))
    return path.read_text(encoding="utf-8")


# Paths and switches ---------------------------------------------------------------------------------------------------

VAR_DIR = (BASE_DIR / text("VAR_DIR", "var")).resolve()  # everything the portal writes
VAR_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)

DEBUG = flag("DEBUG")
HTTPS = flag("HTTPS")  # served through a proxy that speaks TLS and sets X-Forwarded-Proto
# `./run restore` brings the secrets of its portal, and must not make any before
SECRET_KEY = text("SECRET_KEY") or kept_secret(VAR_DIR / "secret_key", make=by_hand != "restore")

PORTAL_URL = text("PORTAL_URL").rstrip("/")  # the public address, such as https://cards.example.org
_public = urlsplit(PORTAL_URL)
# The machine checks its own /healthz, whatever its public name is.
ALLOWED_HOSTS = [*words("ALLOWED_HOSTS", [socket.gethostname().lower()]), "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = []
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
    "axes",
    "csp",
    "django_filters",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]

MIDDLEWARE = [
    "contest.turns.middleware",  # the others run in a thread
    "contest.server.logs.middleware",  # gives each request its id
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",  # has static files compressed already
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "contest.middleware.BrowserHeaders",
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
    "contest.middleware.Failures",
    "axes.middleware.AxesMiddleware",
    "contest.middleware.Once",  # the innermost: a transaction around the view
]

ROOT_URLCONF = "contest.urls"
PROOFS_REQUIRED = flag("PROOFS_REQUIRED", True)  # organisers cannot offer languages that fail on the workers
PROOF_PROGRAMS = "submissions.proving.programs"  # what proves a game in a language; see contest/languages.py
LANGUAGES_TABLE = "submissions.languages.LANGUAGES"  # the languages for bots; see contest/languages.py
CONTEST_PREPARED_BY = "tournaments.organising.presets.prepare"  # creates a preset's stages; see contest/presets.py
CONTEST_CHECKED_BY = "tournaments.seating.deals.check_contest"  # checks new settings; see contest/contests.py
# Who follows the ledger, and in which order (contest/followers.py).
REACTIONS = (
    "tournaments.kinds.following.STAGES",
    "tournaments.organising.played.PLAYED",  # before “the stage is finished”
    "tournaments.organising.news.NEWS",
    "tournaments.feeds.writing.FEEDS",
    "tournaments.webhooks.reading.WEBHOOKS",
)
# What is kept about a person (contest/personal.py).
PERSONAL_DATA = ("contest.personal.PARTS", "submissions.export.PARTS", "tournaments.personal.PARTS")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# A pasted source may be as large as an uploaded one: four bytes per character of the largest `source_kb`, and the form.
DATA_UPLOAD_MAX_MEMORY_SIZE = 20 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 500  # more than a program may have, so that an error can name it
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000  # a form of a stage has two for each team, and twelve for each round
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Database -------------------------------------------------------------------------------------------------------------

SQLITE_OPTIONS = {
    # Take the write lock at BEGIN: a transaction that reads first and writes later would otherwise fail with
    # "database is locked" at once, without waiting for the timeout (seconds).
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
}


def postgresql_options(*, connect: int = 5, statement: int = 60, lock: int = 30, idle: int = 20) -> dict[str, Any]:
    """Waits are bounded by the server and, if its machine is gone, by the kernel. In seconds.

    A process that is stopped in a transaction (`idle`) loses it before those that wait for its locks give up, and these
    give up before the statement as a whole would. Commands that somebody starts, such as migrations, take as long as
    they need."""
    limits = {"statement_timeout": statement, "lock_timeout": lock, "idle_in_transaction_session_timeout": idle}
    options: dict[str, Any] = {
        "connect_timeout": connect,
        # A machine that is gone is noticed within 25 seconds, whether we wait for it or send to it.
        "keepalives": 1,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 25_000,
        "options": "-c jit=off",  # compiling the queries of totals and pages takes longer than they run
    }
    if not by_hand:
        options["options"] += "".join(f" -c {name}={1000 * seconds}" for name, seconds in limits.items() if seconds)
    return options


def database_at(url: str) -> dict[str, Any]:
    """Like libpq, take %2Fpath as the folder of a Unix socket. Raises ValueError."""
    found: dict[str, Any] = Env.db_url_config(url)
    if found.get("ENGINE") not in ("django.db.backends.sqlite3", "django.db.backends.postgresql"):
        raise ValueError("no database of PostgreSQL or SQLite")
    host = urlsplit(url).netloc.rpartition("@")[2].partition(":")[0]
    return found | {"HOST": unquote(host)} if host.startswith("%2F") else found


_database = address("DATABASE_URL", database_at, "postgres://user:password@host/name") or {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": str(VAR_DIR / "portal.sqlite3"),
}
_is_sqlite = _database["ENGINE"].endswith("sqlite3")
_options = SQLITE_OPTIONS if _is_sqlite else postgresql_options()
DATABASES = {"default": _database | {"OPTIONS": {**_options, **_database.get("OPTIONS", {})}}}
# Leases are kept by the clock of the server, not by those of the machines (submissions/clock.py).
DATABASE_CLOCK = not _is_sqlite

# Broker and cache: one server that speaks the Redis protocol ----------------------------------------------------------

REDIS_URL = text("REDIS_URL")  # unset: the private server of contest/server/broker.py, on a Unix socket
BROKER_SOCKET = broker.socket_path(VAR_DIR)
_redis = REDIS_URL or f"unix://{BROKER_SOCKET}?db=0"


def _database_of(parts: SplitResult) -> int:
    """Of a Unix socket, such as `unix:///run/redis.sock?db=2`."""
    return int(dict(parse_qsl(parts.query)).get("db", 0))


def for_celery(url: str) -> str:
    """The same address as Celery writes it."""
    parts = urlsplit(url)
    return f"redis+socket://{parts.path}?virtual_host={_database_of(parts)}" if parts.scheme == "unix" else url


def beside(url: str) -> str:
    """The address of the next database of a Redis server, so that clearing the cache keeps the queue."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return f"unix://{parts.path}?db={_database_of(parts) + 1}"
    database = int(parts.path.strip("/") or 0) + 1
    return urlunsplit(parts._replace(path=f"/{database}"))


CACHE_URL = beside(_redis)
CACHES = {
    "default": {
        "BACKEND": "contest.guesses.Counts",
        "LOCATION": CACHE_URL,
        "KEY_PREFIX": "kibitz",
        # It holds only hints and counts, for which no reader should wait. By default redis-py would try three times.
        "OPTIONS": {"socket_connect_timeout": 0.3, "socket_timeout": 0.3, "retry": Retry(NoBackoff(), 0)},
    },
    # Pages for strangers (contest/strangers.py), of each process of the web server.
    "strangers": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "TIMEOUT": 4,  # what was asked for so lately is made before other pages
        "OPTIONS": {"MAX_ENTRIES": 500},
    },
}

# People ---------------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "contest.User"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",  # lets nobody in; see AXES_…
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
CSRF_FAILURE_VIEW = "contest.middleware.unsent"
MESSAGE_STORAGE = "contest.middleware.Messages"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

ALLOW_EVERYBODY_TO_CREATE = flag("ALLOW_EVERYBODY_TO_CREATE")  # contests; otherwise only administrators may

# Mail: to files in var/mail until EMAIL_URL says smtp://user:password@host:587/?tls=1 ---------------------------------

EMAIL_URL = text("EMAIL_URL")
_host = urlsplit(PORTAL_URL).hostname or "localhost"
DEFAULT_FROM_EMAIL = text("EMAIL_FROM", f"Kibitz <kibitz@{_host}>")
EMAIL_SUBJECT_PREFIX = "[Kibitz] "


def mail_server_at(url: str) -> dict[str, Any]:
    """`smtps` is SMTP within TLS, and `?tls=1` asks for STARTTLS."""
    url = url.replace("smtps://", "smtp+ssl://").replace("?tls=", "?email_use_tls=")
    return dict(Env.email_url_config(url))


if EMAIL_URL:
    globals().update(address("EMAIL_URL", mail_server_at, "smtp://user:password@host:587/?tls=1"))
    EMAIL_BACKEND = "contest.letters.QueueBackend"
    EMAIL_TIMEOUT = 10
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = VAR_DIR / "mail"

ACCOUNT_ADAPTER = "contest.account_adapter.AccountAdapter"
ACCOUNT_FORMS = {"login": "contest.account_adapter.LoginForm"}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_SIGNUP_FORM_CLASS = "contest.account_forms.SignupForm"
# Without a mail server nobody could read the message, so pages must not promise one.
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if EMAIL_URL else "none"
ACCOUNT_RATE_LIMITS = {
    "signup": "120/m/ip",  # a whole computer room may sign up at once from one address
    "login": "300/10m/ip",  # each try, the right ones too, of whatever names; the same room logs in
    "login_failed": "60/m/ip,5/10m/key",  # codes of the second factor; axes counts passwords
    "reset_password": "20/m/ip,5/h/key",  # messages to one address
    "change_password": "10/m/user",
}
ACCOUNT_EMAIL_SUBJECT_PREFIX = EMAIL_SUBJECT_PREFIX
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ACCOUNT_SESSION_REMEMBER = True
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ADAPTER = "contest.account_adapter.SecondFactor"
MFA_ALLOW_UNVERIFIED_EMAIL = not EMAIL_URL  # without a mail server nobody can confirm an address
ALLAUTH_TRUSTED_PROXY_COUNT = number("TRUSTED_PROXIES", 1 if HTTPS else 0)  # how many proxies' X-Forwarded-For to trust
# From where proxies connect. Nobody else is believed who says for whom a request is made.
PROXY_ADDRESSES = networks("PROXY_ADDRESSES", ["127.0.0.0/8", "::1"])
ALLAUTH_RATE_LIMIT_IPV6_PREFIX = 56  # what one customer of a provider has
WEB_CONCURRENCY = number("WEB_CONCURRENCY", 1)  # processes that make pages (contest/server/web.py)

# Wrong passwords, counted by account and address (contest/guesses.py).
AXES_HANDLER = "axes.handlers.database.AxesDatabaseHandler"  # forgets what is older than AXES_COOLOFF_TIME
AXES_DISABLE_ACCESS_LOG = True  # it would keep for ever who logged in from where
AXES_SENSITIVE_PARAMETERS = ["login", "username", "email", "ip_address", "csrfmiddlewaretoken"]  # are not stored
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "contest.guesses.account_of"
AXES_CLIENT_IP_CALLABLE = "contest.guesses.address_of"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 10 / 60  # hours
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "429.html"
AXES_VERBOSE = False

# Matches and practice -------------------------------------------------------------------------------------------------

# The ports where teams' own programs connect (manage.py botserver), for the contest and for games against the test bot.
# A second game that is played over connections gets the next ports.
BOT_HOST = text("BOT_HOST", "127.0.0.1")
BOT_PORT = number("BOT_PORT", 9999)
BOT_TEST_PORT = number("BOT_TEST_PORT", 19999)
BOT_WAIT = number("BOT_WAIT", 10)  # seconds that a match waits for an absent team before it is played without it
BOT_ADDRESS = text("BOT_ADDRESS")  # the host name for teams; unset: the portal's own

PRACTICE_LOOK = 0.2  # seconds between two looks whether a match waits for a worker that practises
MATCH_LEASE = number("MATCH_LEASE", 40)  # a match is played again if its worker is silent for this many seconds

# Casual games: people play in the browser, and nothing of it counts (manage.py casualserver) -----------------------

CASUAL_GAMES = flag("CASUAL_GAMES", True)
CASUAL_GUESTS = flag("CASUAL_GUESTS", True)  # people without an account may play, too
MORE_CHECKS = ["contest.workers.workforce"]  # beside those of contest/server/health.py
if CASUAL_GAMES:
    MORE_CHECKS.append("tournaments.casual.server.server")

# Builds and checks of bots (submissions/turns.py).
BUILD_SECONDS = number("BUILD_SECONDS", 0)  # the longest build, if a language allows more; 0: as the language says
CHECK_TURN = number("CHECK_TURN", 60)  # seconds after which a check gives way to teams that wait

# Networks that webhooks may reach although they are not public, such as that of a school.
WEBHOOK_PRIVATE_NETWORKS = networks("WEBHOOK_PRIVATE_NETWORKS", [])

# Celery ---------------------------------------------------------------------------------------------------------------

CELERY_BROKER_URL = for_celery(_redis)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # for ever: by default, a worker ends after 100
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # A message is delivered again if its worker has not finished by then. That may be during a slow match and does no
    # harm: messages about matches name none, and a version is claimed once (seating/queue.py). Lost workers are noticed
    # much sooner, by the leases in the database.
    "visibility_timeout": 3600,
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 5,
    # A server that is stopped must not keep those that send messages, such as the web server (contest/celery.py). A
    # machine that is gone is noticed by the kernel.
    "socket_timeout": 3,
    "socket_keepalive": True,
    "socket_keepalive_options": {TCP_KEEPIDLE: 10, TCP_KEEPINTVL: 5, TCP_KEEPCNT: 3, TCP_USER_TIMEOUT: 25_000},
    "queue_order_strategy": "priority",  # use the order of -Q if a worker takes several queues
}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = False  # the lease decides: a match that kills its worker must not return at once
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "portal"
CELERY_TASK_ROUTES = {
    "tournaments.tasks.play": {"queue": "matches"},
    "tournaments.tasks.practise": {"queue": "matches"},
    "tournaments.tasks.rehearse": {"queue": "matches"},
    "submissions.tasks.*": {"queue": "builds"},
    "tournaments.tasks.digest": {"queue": "builds"},
    "contest.tasks.mail": {"queue": "builds"},
    "contest.tasks.letters": {"queue": "webhooks"},  # a slow mail server must not delay the tick
    "tournaments.tasks.deliver": {"queue": "webhooks"},  # nor must other people's servers delay anything here
    "tournaments.tasks.webhooks": {"queue": "webhooks"},
}
PATIENT_QUEUES = ("builds",)  # a worker that takes nothing else has less weight than matches and pages
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 2, "interval_start": 0.1, "interval_step": 0.2, "interval_max": 0.5}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_TIMEZONE = "UTC"
WORKER_GRACE = number("WORKER_GRACE", 3)  # seconds that a worker has to finish what it does, after SIGTERM
CELERY_BEAT_SCHEDULE = {
    # Requeues work of lost workers and starts what is due. A tick that nobody took in time is useless.
    "tick": {"task": "tournaments.tasks.tick", "schedule": 10.0, "options": {"expires": 9}},
    # Sends what is due for another try, and what nobody was woken for.
    "webhooks": {"task": "tournaments.tasks.webhooks", "schedule": 5.0, "options": {"expires": 4}},
}

if EMAIL_URL:
    CELERY_BEAT_SCHEDULE["digest"] = {
        "task": "tournaments.tasks.digest",
        "schedule": 300.0,
        "options": {"expires": 290},
    }
    CELERY_BEAT_SCHEDULE["mail"] = {"task": "contest.tasks.mail", "schedule": 60.0, "options": {"expires": 55}}
    CELERY_BEAT_SCHEDULE["letters"] = {"task": "contest.tasks.letters", "schedule": 5.0, "options": {"expires": 4}}

# The REST API (contest/api) -------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": (
        "contest.api.requests.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",  # for the pages of the portal itself; checks CSRF tokens
    ),
    "DEFAULT_RENDERER_CLASSES": ("rest_framework.renderers.JSONRenderer",),
    "DEFAULT_PARSER_CLASSES": (
        "contest.api.requests.Json",
        "rest_framework.parsers.MultiPartParser",
        "rest_framework.parsers.FormParser",
    ),
    "DEFAULT_SCHEMA_CLASS": "contest.api.schema.Schema",
    "DEFAULT_THROTTLE_CLASSES": ("contest.api.requests.Throttle",),
    "DEFAULT_THROTTLE_RATES": {
        "read": "1200/min",  # for each token or account
        "read_anonymously": "3000/min",  # for each address, behind which a school may be
        "write": "120/min",
        "upload": "30/min",
        "practice": "30/min",
    },
    "DATETIME_FORMAT": None,  # the renderer writes moments, so that all of them look alike
    "EXCEPTION_HANDLER": "contest.api.problems.answer_to",
    "NUM_PROXIES": ALLAUTH_TRUSTED_PROXY_COUNT,
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Kibitz",
    "DESCRIPTION": ABOUT,
    "TAGS": TAGS,
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_NO_READ_ONLY_REQUIRED": True,
    "ENUM_NAME_OVERRIDES": {  # where several bodies have a field of the same name
        "DeliveryState": "tournaments.models.Delivery.State",
        "FollowedKind": ["contest", "team"],
        "LedgerAudience": "contest.models.ledger.Audience",
        "LedgerKind": "contest.models.Kind",
        "MatchKind": "tournaments.models.Match.Kind",
        "MatchState": "tournaments.models.Match.State",
        "NoteAudience": "tournaments.models.notes.Note.Audience",
        "PracticeGameState": "tournaments.models.PracticeGame.State",
        "PracticeState": "tournaments.models.PracticeOrder.State",
        "StageKind": ["planned", "ladder", "judged"],
        "RehearsalState": "tournaments.models.Rehearsal.State",
        "ReviewState": "tournaments.models.Review.State",
        "RoundRelease": "tournaments.models.Round.Release",
        "RoundState": "tournaments.models.Round.State",
        "StageRelease": "tournaments.models.Stage.Release",
        "StageState": "tournaments.models.Stage.State",
        "TeamState": "contest.models.Team.State",
        "VersionState": "submissions.models.Submission.State",
        "WebhookKind": "tournaments.api.webhooks.KINDS",
    },
    "WEBHOOKS": ["tournaments.api.webhooks.message", "tournaments.api.webhooks.news"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "docExpansion": "none", "filter": True},  # a table of contents
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# Browsers: headers, cookies, static files -----------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "img-src": [SELF, "data:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
EMBED_ANCESTORS = words("EMBED_ANCESTORS", ["*"])  # sites that may show replays in frames (pages/replays.py)
SECURITY_CONTACT = words("SECURITY_CONTACT", [])  # mailto: or https:, for /.well-known/security.txt
# Cookies are shared by all ports of a host. With names of its own, a portal logs nobody out of another one.
_own = hashlib.sha256(f"cookies:{SECRET_KEY}".encode()).hexdigest()[:8]
SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"sessionid-{_own}", f"csrftoken-{_own}"
MESSAGES_COOKIE_NAME = f"messages-{_own}"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # requested by the machine itself, without the proxy
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
# The browsers' preload list applies to a whole domain for years, so a portal must not join it on its owner's behalf.
SILENCED_SYSTEM_CHECKS = ["security.W021"]

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "contest.static_files.StyleFinder",
]
# As private as everything in var/: the portal serves its static files itself.
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o600, 0o700
STORAGES: dict[str, Any] = {
    # Uploads, records and logs are in the database, where every worker sees them; this is Django's own default.
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "contest.static_files.Collected"
    },
}
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ("png", "jpg", "gif", "webp", "zip", "gz", "br", "woff", "woff2", "map")

# Backups --------------------------------------------------------------------------------------------------------------

BACKUP_EVERY = number("BACKUP_EVERY", 0)  # hours; 0: only by hand
BACKUP_FOLDER = Path(text("BACKUP_FOLDER", str(VAR_DIR / "backups")))
BACKUP_KEEP = max(1, number("BACKUP_KEEP", 7))  # how many of the schedule's backups
BACKUP_RECIPIENTS = words("BACKUP_RECIPIENTS", [])  # public keys of age
if BACKUP_EVERY:
    MORE_CHECKS.append("contest.server.backups.finding")
    CELERY_BEAT_SCHEDULE["backup"] = {"task": "contest.tasks.backup", "schedule": 600.0, "options": {"expires": 590}}

# What follows a restored backup: a command that checks records, ratings and ledgers.
RESTORE_CHECKED_BY = ["audit"]

# Records --------------------------------------------------------------------------------------------------------------

# Days for which records of matches are kept (tournaments/playing/pruning.py); 0: for ever.
RECORDS_KEEP_DAYS = number("RECORDS_KEEP_DAYS", 0)

# Figures for Prometheus -----------------------------------------------------------------------------------------------

# /metrics answers who sends this token, or asks from one of these networks, and nobody else.
METRICS_TOKEN = text("METRICS_TOKEN")
METRICS_ADDRESSES = networks("METRICS_ADDRESSES", [])

# Language, time, logs -------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
USE_I18N = False  # all pages are in this language
TIME_ZONE = text("TIME_ZONE", "UTC")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"()": "contest.server.logs.PlainFormatter"},
        "json": {"()": "contest.server.logs.JsonFormatter"},
    },
    "filters": {
        "in_a_line": {"()": "contest.server.logs.InALine"},  # a database that is away is no traceback
        "context": {"()": "contest.server.logs.Context"},  # which request, task, match a line is about
    },
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": choice("LOG_FORMAT", "plain", "json"),
            "filters": ["in_a_line", "context"],
        }
    },
    "root": {"handlers": ["stderr"], "level": choice("LOG_LEVEL", "INFO", "DEBUG", "WARNING", "ERROR", "CRITICAL")},
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "health_check": {"level": "ERROR"},  # what is away is told elsewhere, and each question asks again
    },
}
