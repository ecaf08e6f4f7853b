"""Hearts: passes its shortest suit away, stays under every trick it can, and gives its dearest card where it cannot follow."""

from mactech98 import *

points_played = False  # a heart or the queen of spades was played on an earlier trick of this hand


def danger(card):
    return 40 if card == QUEEN_OF_SPADES else card.spot + (14 if card.suit == HEART else 0)


def init_tournament(num_players, game_ending_score):
    pass


def init_game(player_ids, your_seat):
    pass


def select_pass(dealt_hand, direction):
    global points_played
    points_played = False
    length = {suit: sum(card.suit == suit for card in dealt_hand) for suit in range(1, 5)}

    def wish(index):
        card = dealt_hand[index]
        return card == QUEEN_OF_SPADES, -length[card.suit], card.spot

    return sorted(range(13), key=wish)[-3:]


def play_trick(trick_number, leader, your_hand, cards_played):
    led = cards_played[leader]
    legal = legal_indices(your_hand, trick_number, led, points_played)
    if led is NO_CARD:
        return min(legal, key=lambda index: danger(your_hand[index]))
    if your_hand[legal[0]].suit != led.suit:
        return max(legal, key=lambda index: danger(your_hand[index]))
    winning = max(card.spot for card in cards_played if card.suit == led.suit)
    under = [index for index in legal if your_hand[index].spot < winning]
    return max(under or [min(legal, key=lambda index: your_hand[index].spot)], key=lambda index: your_hand[index].spot)


def trick_results(cards, winner):
    global points_played
    points_played = points_played or any(map(is_point, cards))


def hand_results(points, totals):
    pass


# Do not change this.
if __name__ == "__main__":
    run(init_tournament, init_game, select_pass, play_trick, trick_results, hand_results)
