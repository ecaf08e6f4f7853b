"""PettingZoo environments for the games of Kibitz (docs/rl.md): the extra `rl` of the wheel `kibitz`.

    import kibitz_rl

    env = kibitz_rl.env("hearts")
    env.reset(seed=1211)

This is a package of its own beside `games`, because `games` stands on the standard library alone: it is what the portal
and the archive in the starter kits run. The rules, and what a seat sees as numbers, are there (games.encoding).
"""

from __future__ import annotations

try:
    from kibitz_rl.environment import CardGame, env
except ModuleNotFoundError as error:
    raise ImportError(f"{error}: the environments for learning need `pip install 'kibitz[rl]'`") from error

__all__ = ["CardGame", "env"]
