"""random_player - bids and plays at random."""

import random

from oh_hell_kit import run

run(lambda hand: random.randint(0, len(hand)), random.choice)
