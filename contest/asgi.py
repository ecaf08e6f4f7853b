"""What the web server runs: the portal's pages in threads, and those who wait for something new around them."""

from contest import waiting
from contest.server.web.threads import Threads
from contest.server.web.waiting import Waiting
from contest.wsgi import application as pages

THREADS = 8

application = Waiting(Threads(pages, THREADS), waiting.look)
