# random.rb - a contestant that follows the rules and otherwise takes and plays at random. It loses to any reasonable player:
# make it a little better, again and again.

require_relative "acm98"

class RandomPlayer < Acm98::Contestant
  def start_game; end

  def start_round; end

  def take_card
    GAME.pool.sample(random: RANDOM)
  end

  def end_takes; end

  def play_card
    legal_cards.sample(random: RANDOM)
  end

  def end_round; end
end

# Do not change this.
RandomPlayer.new.run
