def lowest(hand):
    return sorted(hand)[0]


print(lowest(["c2"]))
print(lowest([]))
