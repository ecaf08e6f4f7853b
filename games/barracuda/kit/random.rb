# Plays anything that the rules allow. Replace the two choices by your own.
require_relative 'barracuda'

class RandomPlayer
  # A card of the hand, or a challenge where one may be offered.
  def choose_card(state, _remaining)
    return Barracuda::CHALLENGE if state[:can_challenge] && rand < 0.05

    state[:hand].sample
  end

  # Whether to accept the challenge that the other player has offered.
  def answer_challenge(_state, _remaining)
    rand < 0.5
  end
end

Barracuda.run(RandomPlayer.new)
