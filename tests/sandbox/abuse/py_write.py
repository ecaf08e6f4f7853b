"""Keep notes on the disk.

expect: violation openat /box/cheat.txt
"""

open("cheat.txt", "w").write("dk")
