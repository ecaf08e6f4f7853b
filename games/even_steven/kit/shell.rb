# shell.rb - an empty player of Even Steven, for you to fill in.
#
# Team:
# Strategy in one line:
#
# Read steven.rb: it describes Card and Game, and the helper routines. This shell plays the first card of its hand, whatever
# was dealt. Write choose_card, then try it:
#
#     printf '4 876390176\n4 653723903\n' | python3 kibitz.pyz dealer shell.rb

require_relative "steven"

# Return the card of your hand that you play on game.open: one of game.hand. If none of them covers it, the game is lost;
# play one all the same. Not all games can be won.
def choose_card(game)
  game.hand.first
end

game = Steven::Game.new
while game.next_card
  card = choose_card(game)
  Steven.debug("game #{game.number}: #{game.open} is dealt, I play #{card}")
  game.play(card)
end
