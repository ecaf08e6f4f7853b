import random


def choose(hand):
    return random.choice(hnad)


def main():
    print(choose(["c2", "c3"]))


main()
