"""Practice: teams try their versions while workers have nothing else to do. It never counts.

    rights      whether a team may practise now, against whom, and how much
    queue       orders and their games as rows: open, add games, claim, end; waking workers; what is left behind
    orders      what a team asks for and does: order, cancel; a newer version takes over
    again       the deals of a match, to be played with other players
    trials      two versions on the same deals, until it is known which one is better
    from_here   what a version would decide at a position of a replay
    watch       a thread beside a game, which ends it when a contest match waits or the order is cancelled
    play        a worker plays the next game, and what follows from it for each kind of order
    figures     win rate and points with their intervals

**Another kind of order**, such as a trial, is a `PracticeOrder` of its own `kind`. It uses the queue like this:

- In one transaction: `rights.why_not`, `rights.hold`, `rights.check`, then `queue.open_order` with the players and as
  many games as are needed at first, and `queue.wake_on_commit`. `orders.opponent` reads the name of an opponent.
- A game names its players by their numbers in the order (`WantedGame.lineup`), in the order of the record's seats, and
  the one that it is about (`own`). Two games with the same seed, opening and packs have the same deals.
- `play.AFTER` has a function for the kind. It is called in the transaction that has just written the result of a
  game, with the order locked. It may call `queue.add_games`, and must call `queue.end` when the order is over.
- Its state of its own belongs in a model with a one-to-one key to the order. Everything else (turns, preemption,
  cancelling, quotas, lost workers, pruning) happens without it.
"""
