"""The portal's own settings, with a var/ of this run's own. Processes started by a test inherit it.

Several runs may share one machine and one work tree, so no path is fixed: the database is a file (worker processes
must see it), the broker listens on a socket beside it, and tests/conftest.py removes the whole folder.
"""

import os
import tempfile

os.environ["VAR_DIR"] = tempfile.mkdtemp(prefix="kibitz-test-")
os.environ["SECRET_KEY"] = "only-for-tests-" + "x" * 50
os.environ.pop("REDIS_URL", None)
os.environ.setdefault("LOG_LEVEL", "WARNING")
os.environ["DEBUG"] = "0"
os.environ["PROOFS_REQUIRED"] = "0"  # nothing is proven in an empty database; tests of proofs switch it on

from contest.settings import *  # noqa: F403
from contest.settings import DATABASES, MIDDLEWARE, STATIC_ROOT, STORAGES, VAR_DIR

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "portal.sqlite3")}  # the same file: processes find it
else:
    DATABASES["default"]["TEST"] = {"NAME": f"test_{DATABASES['default']['NAME']}_{VAR_DIR.name[-8:]}"}

MIDDLEWARE = [each for each in MIDDLEWARE if each != "contest.turns.middleware"]  # it needs the web server
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # argon2 is slow on purpose
STATIC_ROOT.mkdir(exist_ok=True)  # WhiteNoise looks for it; pages use the files from their sources
WHITENOISE_AUTOREFRESH = WHITENOISE_USE_FINDERS = True
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
ALLOWED_HOSTS = ["*"]
# Another connection would look and renew, which does not see the transaction of a test; worker processes do both.
PRACTICE_LOOK, MATCH_LEASE = 3600.0, 1800
DATABASE_CLOCK = False  # tests let time pass by setting the clock of their process
