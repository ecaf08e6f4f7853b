# random.rb - plays any card of its hand, whether it covers or not. It loses most games that could be won, so improve it.

require_relative "steven"

game = Steven::Game.new
while game.next_card
  card = game.hand.sample(random: Steven::RANDOM)
  Steven.debug("#{game.open} is dealt, I play #{card}")
  game.play(card)
end
