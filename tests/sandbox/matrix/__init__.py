"""The matrix: every attack × every language × every level × worker root or not × control groups.

    python -m tests.sandbox.matrix --all             everything that can exist on this machine
    python -m tests.sandbox.matrix --sample          what the test suite does
    python -m tests.sandbox.matrix --attack 'kill*' --language c --place landlock/user/none
    python -m tests.sandbox.matrix --honest 1000     no honest program is accused, at any level

An *attack* is data (attacks/*.toml): system calls for languages that can make any (drivers/ has a generic program for
each that makes those it is told), and the nearest equivalent by the library of the others. A *place* is a level with a
user and a kind of control group (places.py). A *cell* is an attack in a language at a place (cell.py): it *held*, was
*breached*, was *unexpected* (contained, but not as the entry of the attack says), or cannot exist, and the reason is
told.

A breach is never decided by what the attack says of itself alone, where something outside can tell: the token of a
secret file, what arrives at sockets of the host, what is written into a folder that everybody may write to, processes
that are left, a victim that was hurt, processor time that was used and not charged (witness.py).
"""
