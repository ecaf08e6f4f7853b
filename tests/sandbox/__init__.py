"""The walls around bots and compilers, attacked for real.

tests/submissions/test_contained.py holds one case of each kind by default.
"""
