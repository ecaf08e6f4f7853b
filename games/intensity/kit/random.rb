# random.rb - an Intensity player that follows the rules and otherwise plays at random. It loses to any reasonable player:
# make it a little better, again and again.

require_relative "intensity_kit"

def player_name
  "Random in Ruby"
end

def choose_discards(hand)
  hand.sample(3, random: Intensity::RANDOM)
end

def choose_card(question)
  question.legal.sample(random: Intensity::RANDOM)
end

def run_unit_tests
  puts "no tests"
end

# Do not change this.
Intensity.run(method(:player_name), method(:choose_discards), method(:choose_card), method(:run_unit_tests))
