"""The walls around bots and compilers, attacked for real. What tests/submissions/test_jail.py holds by default, with all other cases."""
