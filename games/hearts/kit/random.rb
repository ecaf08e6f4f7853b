# random.rb - a contestant that follows the rules and otherwise passes and plays at random. It loses to any reasonable player: make
# it a little better, again and again.

require_relative "mactech98"

class RandomPlayer
  def initialize
    @points_played = false # a heart or the queen of spades was played on an earlier trick of this hand
  end

  def init_tournament(num_players, game_ending_score)
  end

  def init_game(player_ids, your_seat)
  end

  def select_pass(dealt_hand, direction)
    @points_played = false
    (0..12).to_a.sample(3, random: Hearts::RANDOM) # ignored when nothing is passed
  end

  def play_trick(trick_number, trick_leader, your_hand, cards_played)
    legal = Hearts.legal_indices(your_hand, trick_number, cards_played[trick_leader], @points_played)
    legal.sample(random: Hearts::RANDOM)
  end

  def trick_results(last_trick, trick_winner)
    @points_played ||= last_trick.any?(&:point?)
  end

  def hand_results(points_this_hand, cum_points)
  end
end

# Do not change this.
Hearts.run(RandomPlayer.new)
