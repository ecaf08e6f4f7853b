"""What browsers are told and given: security headers, cookies, static files."""

from csp.constants import NONE, SELF

from contest.settings.base import BASE_DIR, DEBUG, HTTPS, VAR_DIR
from contest.settings.environment import flag, number, words

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
EMBED_ANCESTORS = words("EMBED_ANCESTORS", ["*"])  # sites that may show replays in frames (pages/embeds.py)
# Streams that a process of the web server has open for one address: a room of 60 computers with five windows each. And
# for one account: a browser keeps one only while its window can be seen.
STREAMS_PER_ADDRESS = number("STREAMS_PER_ADDRESS", 300)
STREAMS_PER_ACCOUNT = number("STREAMS_PER_ACCOUNT", 20)
SECURITY_CONTACT = words("SECURITY_CONTACT", [])  # mailto: or https:, for /.well-known/security.txt
X_FRAME_OPTIONS = "DENY"
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
# As private as everything in var/: the portal serves its static files itself.
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o600, 0o700
STORAGES = {
    # Uploads, records and logs are in the database, where every worker sees them; this is Django's own default.
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "contest.static_files.Collected"
    },
}
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = ("png", "jpg", "gif", "webp", "zip", "gz", "br", "woff", "woff2", "map")
