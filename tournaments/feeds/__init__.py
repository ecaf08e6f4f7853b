"""News of contests, for people who follow them: a page, feeds, and mail once a day or once a week.

`writing` follows the ledger and makes a row of each fact, as everybody may know it; `words` says it. `reading` gives
people what they follow, `digest` mails it, and `changes` is what they do.
"""
