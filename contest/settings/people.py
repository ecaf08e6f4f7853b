"""Accounts, and mail to them."""

from ipaddress import ip_network
from urllib.parse import parse_qs, unquote, urlsplit

from contest.settings.base import HTTPS, PORTAL_URL, VAR_DIR
from contest.settings.environment import flag, number, text, words

# People ---------------------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "contest.User"
AUTHENTICATION_BACKENDS = [
    "contest.log_in_backend.LogInBackend",
    "django.contrib.auth.backends.ModelBackend",  # named by sessions of people who logged in before
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
CSRF_FAILURE_VIEW = "contest.views.csrf_failure"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"

ALLOW_EVERYBODY_TO_CREATE = flag("ALLOW_EVERYBODY_TO_CREATE")  # contests; otherwise only administrators may

# Mail: to files in var/mail until EMAIL_URL says smtp://user:password@host:587/?tls=1 ---------------------------------

EMAIL_URL = text("EMAIL_URL")
_host = urlsplit(PORTAL_URL).hostname or "localhost"
DEFAULT_FROM_EMAIL = SERVER_EMAIL = text("EMAIL_FROM", f"Kibitz <kibitz@{_host}>")
EMAIL_SUBJECT_PREFIX = "[Kibitz] "
if EMAIL_URL:
    _mail = urlsplit(EMAIL_URL)
    _query = parse_qs(_mail.query)
    EMAIL_BACKEND = "contest.letters.QueueBackend"
    EMAIL_HOST = _mail.hostname or "localhost"
    EMAIL_PORT = _mail.port or (465 if _mail.scheme == "smtps" else 25)
    EMAIL_HOST_USER = unquote(_mail.username or "")
    EMAIL_HOST_PASSWORD = unquote(_mail.password or "")
    EMAIL_USE_SSL = _mail.scheme == "smtps"
    EMAIL_USE_TLS = _query.get("tls", ["0"])[0] == "1"
    EMAIL_TIMEOUT = 10
else:
    EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    EMAIL_FILE_PATH = VAR_DIR / "mail"

ACCOUNT_ADAPTER = "contest.account_adapter.AccountAdapter"
ACCOUNT_FORMS = {"login": "contest.login_form.LoginForm"}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_SIGNUP_FORM_CLASS = "contest.account_forms.SignupForm"
# Without a mail server nobody could read the message, so pages must not promise one.
ACCOUNT_EMAIL_VERIFICATION = text("EMAIL_VERIFICATION", "mandatory" if EMAIL_URL else "none")
ACCOUNT_RATE_LIMITS = {
    "signup": "120/m/ip",  # a whole computer room may sign up at once from one address
    "login": "",  # contest/guesses.py counts guesses, in a way that shuts nobody else out
    "login_failed": "",
    "reset_password": "20/m/ip,5/h/key",  # messages to one address
    "change_password": "10/m/user",
}
ACCOUNT_EMAIL_SUBJECT_PREFIX = EMAIL_SUBJECT_PREFIX
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
ACCOUNT_SESSION_REMEMBER = True
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_ADAPTER = "contest.second_factor.SecondFactor"
MFA_FORMS = {
    "authenticate": "contest.second_factor_forms.AuthenticateForm",
    "reauthenticate": "contest.second_factor_forms.ReauthenticateForm",
}
MFA_ALLOW_UNVERIFIED_EMAIL = not EMAIL_URL  # without a mail server nobody can confirm an address
ALLAUTH_TRUSTED_PROXY_COUNT = number("TRUSTED_PROXIES", 1 if HTTPS else 0)  # how many proxies' X-Forwarded-For to trust
# From where proxies connect. Nobody else is believed who says for whom a request is made.
PROXY_ADDRESSES = [str(ip_network(each, strict=False)) for each in words("PROXY_ADDRESSES", ["127.0.0.0/8", "::1"])]
ALLAUTH_RATE_LIMIT_IPV6_PREFIX = 56  # what one customer of a provider has
