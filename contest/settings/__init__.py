"""The portal's settings. An installation can change them through environment variables, all of them optional.

docs/operations/settings.md lists the variables. Each can also be set in the file `.env` beside manage.py, which the
environment overrides, or as NAME_FILE, the path of a file with the value, for secrets.

A setting stands in the room of what it is for: `base`, `database`, `people` (accounts, mail), `work` (broker, Celery,
matches), `api`, `keeping` (backups, records), `web` (what browsers are told), `watching` (figures, alarms).
`environment` reads the variables.
"""

from contest.settings.api import *
from contest.settings.base import *
from contest.settings.database import *
from contest.settings.keeping import *
from contest.settings.people import *
from contest.settings.watching import *
from contest.settings.web import *
from contest.settings.work import *
