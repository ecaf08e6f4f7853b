"""The REST API (contest/api)."""

from contest.api.about import ABOUT, TAGS
from contest.settings.environment import text
from contest.settings.people import ALLAUTH_TRUSTED_PROXY_COUNT

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
