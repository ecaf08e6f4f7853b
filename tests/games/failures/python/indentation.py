def choose(hand):
    best = hand[0]
     return best


print(choose(["c2"]))
