import sys

hand: list[str] = []
pool: list[str] = []
for line in sys.stdin:
    kind, *words = line.split()
    shown = words[1::2]
    if kind == "starthand":
        hand, pool = words[1:11], words[11:]
    elif kind in ("take", "aftertake"):
        pool = [card for card in pool if card not in shown]
        if kind == "take":
            hand.append(pool.pop(0))
            print(hand[-1], flush=True)
    elif kind == "play":
        card = next((card for card in hand if shown and card[0] == shown[0][0]), hand[0])
        hand.remove(card)
        print(card, flush=True)
    elif kind not in ("result", "endround"):
        print("got", line, end="", flush=True)
