"""How the database of test_upgrade.py was played: runs with the code of commit 1f12f86 alone.

Its imports name the modules of that commit. Leave them as they are when modules move: nothing here runs in the tests.
"""
