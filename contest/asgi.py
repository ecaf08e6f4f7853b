"""What the web server runs: the portal's pages in threads, those who wait for something new around them, and around
these the streams of those who follow a game in progress."""

from contest import waiting
from contest.broadcast.feed import Feeds
from contest.server.web.streams import Streams
from contest.server.web.threads import Threads
from contest.server.web.waiting import Waiting
from contest.wsgi import application as pages

THREADS = 8

application = Streams(Waiting(Threads(pages, THREADS), waiting.look), Feeds().read, waiting.look)
