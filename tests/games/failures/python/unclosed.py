hand = ["c2", "c3"
for card in hand:
    print(card)
