"""What honest programs import and do: no accusation.

expect: exit 0
prints: True True ok
"""

import asyncio
import collections
import datetime
import decimal
import json
import locale
import random
import re
import tempfile
import threading
import time
import typing
import uuid

locale.setlocale(locale.LC_ALL, "")
random.shuffle([1, 2, 3])
print(datetime.datetime.now().year > 2000, time.localtime().tm_year > 2000, asyncio.run(asyncio.sleep(0, "ok")))
