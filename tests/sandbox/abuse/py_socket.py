"""Talk to somebody.

expect: violation socket AF_INET
"""

import socket

socket.create_connection(("127.0.0.1", 80))
