local hand = { "c2", "c3"
print(hand[1])
