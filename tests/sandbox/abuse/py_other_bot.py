"""Read the memory of another bot.

expect: violation openat /proc/2/mem
"""

open("/proc/2/mem", "rb")
