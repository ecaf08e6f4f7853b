"""Eat memory.

expect: memory
limits: memory=32
"""

hoard = []
while True:
    hoard.append(bytearray(1 << 20))
