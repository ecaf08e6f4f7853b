import sys

line = raw_input()
print(line)
