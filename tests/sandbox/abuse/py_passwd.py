"""Read a file of the host.

expect: violation openat /etc/passwd
"""

print(open("/etc/passwd").read())
