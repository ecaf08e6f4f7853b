"""The portal's settings. An installation can change them through environment variables, all of them optional.

docs/operations.md lists the variables. Each can also be set in the file `.env` beside manage.py, which the environment
overrides, or as NAME_FILE, the path of a file with the value, for secrets.
"""

import os
import secrets
import socket
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit, urlunsplit

import dj_database_url
from csp.constants import NONE, SELF

from contest.server import broker

BASE_DIR = Path(__file__).resolve().parent.parent


# How the environment is read ------------------------------------------------------------------------------------------


def read_dotenv(path: Path) -> None:
    """Load NAME=VALUE lines of a file into the environment, without overriding it."""
    if not path.is_file():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        name, equals, value = line.strip().partition("=")
        if equals and not name.startswith("#"):
            os.environ.setdefault(name.strip(), value.strip().strip("\"'"))


def text(name: str, default: str = "") -> str:
    """NAME, or the content of the file NAME_FILE, or the default. Blank counts as not set."""
    path = os.environ.get(f"{name}_FILE")
    value = Path(path).read_text(encoding="utf-8") if path else os.environ.get(name, "")
    return value.strip() or default


def flag(name: str, default: bool = False) -> bool:
    value = text(name).lower()
    if value in ("", "0", "1", "false", "true", "no", "yes", "off", "on"):
        return value in ("1", "true", "yes", "on") if value else default
    raise ValueError(f"{name} must be 1 or 0, not {value!r}")


def number(name: str, default: int) -> int:
    value = text(name)
    try:
        return int(value) if value else default
    except ValueError:
        raise ValueError(f"{name} must be a whole number, not {value!r}") from None


def words(name: str, default: list[str]) -> list[str]:
    """Comma-separated values."""
    return [word.strip() for word in text(name).split(",") if word.strip()] or default


def kept_secret(path: Path) -> str:
    """The secret in a private file, created on first use. Safe if two processes start at once."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text(encoding="utf-8").strip()
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(secrets.token_urlsafe(50))
    return path.read_text(encoding="utf-8")


# Paths and switches ---------------------------------------------------------------------------------------------------

read_dotenv(BASE_DIR / ".env")

VAR_DIR = (BASE_DIR / text("VAR_DIR", "var")).resolve()  # everything the portal writes
VAR_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = flag("DEBUG")
HTTPS = flag("HTTPS")  # served through a proxy that speaks TLS and sets X-Forwarded-Proto
SECRET_KEY = text("SECRET_KEY") or kept_secret(VAR_DIR / "secret_key")

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
    "django.contrib.admin",
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
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",  # has static files compressed already
    "contest.compression.Compression",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "contest.urls"
LANGUAGES_TABLE = "submissions.languages.LANGUAGES"  # the languages for bots; see contest/languages.py
CONTEST_PREPARED_BY = "tournaments.organising.presets.prepare"  # creates a preset's stages; see contest/presets.py
CONTEST_CHECKED_BY = "tournaments.seating.deals.check_contest"  # checks new settings; see contest/contests.py
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

# Database -------------------------------------------------------------------------------------------------------------

SQLITE_OPTIONS = {
    # Take the write lock at BEGIN: a transaction that reads first and writes later would otherwise fail with
    # "database is locked" at once, without waiting for the timeout (seconds).
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
}

_database = dj_database_url.parse(text("DATABASE_URL", f"sqlite:///{VAR_DIR / 'portal.sqlite3'}"), conn_max_age=60)
if _database["ENGINE"].endswith("sqlite3"):
    _database["OPTIONS"] = {**SQLITE_OPTIONS, **_database.get("OPTIONS", {})}
else:
    _database["CONN_HEALTH_CHECKS"] = True
DATABASES = {"default": _database}

# Broker and cache: one server that speaks the Redis protocol ----------------------------------------------------------

REDIS_URL = text("REDIS_URL")  # unset: the private server of contest/server/broker.py, on a Unix socket
BROKER_SOCKET = broker.socket_path(VAR_DIR)


def beside(url: str) -> str:
    """The address of the next database of a Redis server, so that clearing the cache keeps the queue."""
    parts = urlsplit(url)
    database = int(parts.path.strip("/") or 0) + 1
    return urlunsplit(parts._replace(path=f"/{database}"))


CACHE_URL = text("CACHE_URL", beside(REDIS_URL) if REDIS_URL else f"unix://{BROKER_SOCKET}?db=1")
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": CACHE_URL,
        "KEY_PREFIX": "kibitz",
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 5},
    }
}

FILMS_MB = number("FILMS_MB", 512)  # of films of replays on disk (contest/replay/films.py)

# The ports where teams' own programs connect (manage.py botserver), for the contest and for games against the test bot.
# A second game that is played over connections gets the next ports.
BOT_HOST = text("BOT_HOST", "127.0.0.1")
BOT_PORT = number("BOT_PORT", 9999)
BOT_TEST_PORT = number("BOT_TEST_PORT", 19999)
BOT_WAIT = number("BOT_WAIT", 10)  # seconds that a match waits for an absent team before it is played without it
BOT_ADDRESS = text("BOT_ADDRESS")  # the host name for teams; unset: the portal's own

PRACTICE_LOOK = 0.2  # seconds between two looks whether a match waits for a worker that practises
MATCH_LEASE = number("MATCH_LEASE", 40)  # a match is played again if its worker is silent for this many seconds

CELERY_BROKER_URL = REDIS_URL or f"redis+socket://{BROKER_SOCKET}?virtual_host=0"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # A message is delivered again if its worker has not finished by then. That may be during a slow match and does no
    # harm: messages about matches name none, and a version is claimed once (seating/queue.py). Lost workers are noticed
    # much sooner, by the leases in the database.
    "visibility_timeout": 3600,
    "unacked_restore_interval": 2,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 5,
    "queue_order_strategy": "priority",  # use the order of -Q if a worker takes several queues
}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = False  # the lease decides: a match that kills its worker must not return at once
CELERY_TASK_IGNORE_RESULT = True
# No time limit for matches: whatever the rules allow must be playable. The referee never waits longer than the rules
# say, and if a lease is not renewed, another worker plays the match.
CELERY_TASK_ANNOTATIONS = {
    "submissions.tasks.process": {"time_limit": 7200, "soft_time_limit": 7140},
    "tournaments.tasks.tick": {"time_limit": 300, "soft_time_limit": 270},
}
CELERY_TASK_DEFAULT_QUEUE = "portal"
CELERY_TASK_ROUTES = {
    "tournaments.tasks.play": {"queue": "matches"},
    "tournaments.tasks.practise": {"queue": "matches"},
    "tournaments.tasks.rehearse": {"queue": "matches"},
    "submissions.tasks.*": {"queue": "builds"},
    "contest.tasks.mail": {"queue": "builds"},  # a slow mail server must not delay the tick
    "tournaments.tasks.deliver": {"queue": "webhooks"},  # nor must other people's servers delay anything here
    "tournaments.tasks.webhooks": {"queue": "webhooks"},
}
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 2, "interval_start": 0.1, "interval_step": 0.2, "interval_max": 0.5}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_MAX_TASKS_PER_CHILD = 500
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_TIMEZONE = "UTC"
# Who follows the ledger, and in which order (contest/followers.py).
REACTIONS = (
    "tournaments.kinds.following.STAGES",
    "tournaments.organising.news.NEWS",
    "tournaments.webhooks.reading.WEBHOOKS",
)
# What clients can wait for with `?wait=` (contest/waiting.py).
SUBJECTS = ("contest.subjects.READ", "submissions.subjects.READ", "tournaments.practice.subjects.READ")
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "run" / "beat")
CELERY_BEAT_SCHEDULE = {
    # Requeues work of lost workers and starts what is due. A tick that nobody took in time is useless.
    "tick": {"task": "tournaments.tasks.tick", "schedule": 10.0, "options": {"expires": 9}},
    # Sends what is to be tried again, and what nobody was woken for.
    "webhooks": {"task": "tournaments.tasks.webhooks", "schedule": 5.0, "options": {"expires": 4}},
}

# People ---------------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "contest.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}Validator"}
    for name in ("UserAttributeSimilarity", "MinimumLength", "CommonPassword", "NumericPassword")
]
LOGIN_URL = "account_login"
CSRF_FAILURE_VIEW = "contest.views.csrf_failure"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

ALLOW_EVERYBODY_TO_CREATE = flag("ALLOW_EVERYBODY_TO_CREATE")  # contests; otherwise only administrators may

# Mail: to files in var/mail until EMAIL_URL says smtp://user:password@host:587/?tls=1 ---------------------------------

EMAIL_URL = text("EMAIL_URL")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = text("EMAIL_FROM", f"Kibitz <kibitz@{_public.hostname or 'localhost'}>")
EMAIL_SUBJECT_PREFIX = "[Kibitz] "
if EMAIL_URL:
    _mail = urlsplit(EMAIL_URL)
    _query = parse_qs(_mail.query)
    EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    EMAIL_HOST = _mail.hostname or "localhost"
    EMAIL_PORT = _mail.port or (465 if _mail.scheme == "smtps" else 25)
    EMAIL_HOST_USER = unquote(_mail.username or "")
    EMAIL_HOST_PASSWORD = unquote(_mail.password or "")
    EMAIL_USE_SSL = _mail.scheme == "smtps"
    EMAIL_USE_TLS = _query.get("tls", ["0"])[0] == "1"
    EMAIL_TIMEOUT = 10
    CELERY_BEAT_SCHEDULE["mail"] = {"task": "contest.tasks.mail", "schedule": 60.0, "options": {"expires": 55}}
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = VAR_DIR / "mail"

ACCOUNT_FORMS = {"login": "contest.login_form.LoginForm"}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_SIGNUP_FORM_CLASS = "contest.account_forms.SignupForm"
# Without a mail server nobody could read the message, so pages must not promise one.
ACCOUNT_EMAIL_VERIFICATION = text("EMAIL_VERIFICATION", "mandatory" if EMAIL_URL else "none")
ACCOUNT_RATE_LIMITS = {"signup": "120/m/ip"}  # a whole computer room may sign up at once from one address
ACCOUNT_EMAIL_SUBJECT_PREFIX = EMAIL_SUBJECT_PREFIX
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ACCOUNT_SESSION_REMEMBER = True
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ADAPTER = "contest.second_factor.SecondFactor"
MFA_ALLOW_UNVERIFIED_EMAIL = not EMAIL_URL  # without a mail server nobody can confirm an address
ALLAUTH_TRUSTED_PROXY_COUNT = number("TRUSTED_PROXIES", 1 if HTTPS else 0)  # how many proxies' X-Forwarded-For to trust

# The REST API (contest/api) -------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": (
        "contest.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",  # for the pages of the portal itself; checks CSRF tokens
    ),
    "DEFAULT_RENDERER_CLASSES": ("rest_framework.renderers.JSONRenderer",),
    "DEFAULT_PARSER_CLASSES": (
        "contest.api.parsing.Json",
        "rest_framework.parsers.MultiPartParser",
        "rest_framework.parsers.FormParser",
    ),
    "DEFAULT_SCHEMA_CLASS": "contest.api.schema.Schema",
    "DEFAULT_THROTTLE_CLASSES": ("contest.api.throttling.Throttle",),
    "DEFAULT_THROTTLE_RATES": {
        "read": text("API_READS", "1200/min"),  # for each token or account
        "read_anonymously": text("API_READS_ANONYMOUSLY", "3000/min"),  # for each address, behind which a school may be
        "write": text("API_WRITES", "120/min"),
        "upload": "30/min",
        "practice": "30/min",
    },
    "EXCEPTION_HANDLER": "contest.api.problems.answer_to",
    "NUM_PROXIES": ALLAUTH_TRUSTED_PROXY_COUNT,
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Kibitz",
    "DESCRIPTION": "Contests between card-playing bots: what the pages show and do, for programs.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "COMPONENT_NO_READ_ONLY_REQUIRED": True,
    "ENUM_NAME_OVERRIDES": {  # where several bodies have a field of the same name
        "DeliveryState": "tournaments.models.Delivery.State",
        "LedgerKind": "contest.models.Kind",
        "MatchKind": "tournaments.models.Match.Kind",
        "MatchState": "tournaments.models.Match.State",
        "PracticeGameState": "tournaments.models.PracticeGame.State",
        "PracticeState": "tournaments.models.PracticeOrder.State",
        "StageKind": ["planned", "ladder", "judged"],
        "RehearsalState": "tournaments.models.Rehearsal.State",
        "ReviewState": "tournaments.models.Review.State",
        "StageState": "tournaments.models.Stage.State",
        "TeamState": "contest.models.Team.State",
        "VersionState": "submissions.models.Submission.State",
    },
    "WEBHOOKS": ["tournaments.api.webhooks.message"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {"deepLinking": True, "docExpansion": "none", "filter": True},  # a table of contents
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

# Webhooks (tournaments/webhooks) --------------------------------------------------------------------------------------

# Networks that webhooks may reach although they are not public, such as that of a school.
WEBHOOK_PRIVATE_NETWORKS = [str(ip_network(text)) for text in words("WEBHOOK_PRIVATE_NETWORKS", [])]

# Browser security -----------------------------------------------------------------------------------------------------

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
X_FRAME_OPTIONS = "DENY"
EMBED_ANCESTORS = words("EMBED_ANCESTORS", ["*"])  # sites that may show replays in frames (pages/embeds.py)
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CONTENT_TYPE_NOSNIFF = True
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$"]  # requested by the machine itself, without the proxy
    SECURE_HSTS_SECONDS = number("HSTS_SECONDS", 31_536_000)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = flag("HSTS_SUBDOMAINS", True)
# The browsers' preload list applies to a whole domain for years, so a portal must not join it on its owner's behalf.
SILENCED_SYSTEM_CHECKS = ["security.W021"]

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "contest.game_files.StyleFinder",
]
STORAGES = {
    # Uploads, records and logs are in the database, where every worker sees them; this is Django's own default.
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# Language, time, logs -------------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
USE_I18N = True
USE_TZ = True
TIME_ZONE = text("TIME_ZONE", "UTC")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
        "json": {"()": "contest.server.logs.JsonFormatter"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": text("LOG_FORMAT", "plain")}},
    "root": {"handlers": ["stderr"], "level": text("LOG_LEVEL", "INFO").upper()},
    "loggers": {"django": {"handlers": [], "propagate": True}, "django.server": {"handlers": [], "propagate": True}},
}
