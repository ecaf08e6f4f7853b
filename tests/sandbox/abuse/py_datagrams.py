"""Get a socket that can send to every socket of the host that has a name.

expect: exit 0
prints: refused refused True
"""

import os
import socket


def pair(kind):
    try:
        return socket.socketpair(socket.AF_UNIX, kind)
    except OSError:
        return "refused"


one, other = pair(socket.SOCK_STREAM)
for name in ("\0somebody", "/run/somebody"):
    try:
        one.sendmsg([b"x"], [], 0, name)
        print("SENT")
    except OSError:
        pass
one.sendall(b"hello")
print(pair(socket.SOCK_DGRAM), pair(socket.SOCK_SEQPACKET), os.read(other.fileno(), 5) == b"hello")
