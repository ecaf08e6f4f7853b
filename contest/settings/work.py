"""What is done beside answering requests: the broker, Celery's workers and clock, matches, practice, webhooks."""

from ipaddress import ip_network
from socket import TCP_KEEPCNT, TCP_KEEPIDLE, TCP_KEEPINTVL, TCP_USER_TIMEOUT
from urllib.parse import SplitResult, parse_qsl, urlsplit, urlunsplit

from redis.backoff import NoBackoff
from redis.retry import Retry

from contest.server import broker
from contest.settings.base import VAR_DIR
from contest.settings.environment import flag, number, text, words
from contest.settings.people import EMAIL_URL

# Broker and cache: one server that speaks the Redis protocol ----------------------------------------------------------

REDIS_URL = text("REDIS_URL")  # unset: the private server of contest/server/broker.py, on a Unix socket
BROKER_SOCKET = broker.socket_path(VAR_DIR)


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


CACHE_URL = text("CACHE_URL", beside(REDIS_URL) if REDIS_URL else f"unix://{BROKER_SOCKET}?db=1")
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": CACHE_URL,
        "KEY_PREFIX": "kibitz",
        # It holds only hints and counts, for which no reader should wait. By default redis-py would try three times.
        "OPTIONS": {"socket_connect_timeout": 0.3, "socket_timeout": 0.3, "retry": Retry(NoBackoff(), 0)},
    }
}

# Films of replays (contest/replay/films.py): how much of the disk they may take. What is deleted is made again.
FILMS_MB = number("FILMS_MB", 512)

# Matches and practice -------------------------------------------------------------------------------------------------

# The ports where teams' own programs connect (manage.py botserver), for the contest and for games against the test bot.
# A second game that is played over connections gets the next ports.
BOT_HOST = text("BOT_HOST", "127.0.0.1")
BOT_PORT = number("BOT_PORT", 9999)
BOT_TEST_PORT = number("BOT_TEST_PORT", 19999)
BOT_WAIT = number("BOT_WAIT", 10)  # seconds that a match waits for an absent team before it is played without it
BOT_ADDRESS = text("BOT_ADDRESS")  # the host name for teams; unset: the portal's own

DEMO_LADDERS = flag("DEMO_LADDERS", True)  # whether the ladders that never end make matches (manage.py demo)
PRACTICE_LOOK = 0.2  # seconds between two looks whether a match waits for a worker that practises
DEAF_AFTER = number("DEAF_AFTER", 30)  # seconds after which a worker starts again if messages wait and it hears none
MATCH_LEASE = number("MATCH_LEASE", 40)  # a match is played again if its worker is silent for this many seconds

# Casual games: people play in the browser, and nothing of it counts (manage.py casualserver) -----------------------

CASUAL_GAMES = flag("CASUAL_GAMES", True)
CASUAL_GUESTS = flag("CASUAL_GUESTS", True)  # people without an account may play, too
CASUAL_AT_ONCE = number("CASUAL_AT_ONCE", 100)  # tables
CASUAL_GUESTS_AT_ONCE = number("CASUAL_GUESTS_AT_ONCE", 2 * CASUAL_AT_ONCE // 3)
CASUAL_PER_PERSON = number("CASUAL_PER_PERSON", 5)
CASUAL_PER_ADDRESS = number("CASUAL_PER_ADDRESS", 60)  # a whole class may play from one address
MORE_CHECKS = ["tournaments.casual.health.server"] if CASUAL_GAMES else []  # beside those of contest/server/health.py
CASUAL_DAYS = number("CASUAL_DAYS", 30)  # for which the record of a finished game is kept

# Builds and checks of bots (submissions/turns.py).
BUILD_SECONDS = number("BUILD_SECONDS", 0)  # the longest build, if a language allows more; 0: as the language says
CHECK_TURN = number("CHECK_TURN", 60)  # seconds after which a check gives way to teams that wait

# Celery ---------------------------------------------------------------------------------------------------------------

CELERY_BROKER_URL = for_celery(REDIS_URL) or f"redis+socket://{BROKER_SOCKET}?virtual_host=0"
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
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "run" / "beat")
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

# Networks that webhooks may reach although they are not public, such as that of a school.
WEBHOOK_PRIVATE_NETWORKS = [str(ip_network(each)) for each in words("WEBHOOK_PRIVATE_NETWORKS", [])]
