# intensity_kit.rb - what your Intensity player may use, and the part that reads the question. Do not change it: the contest
# puts its own copy beside your file.
#
# You write four methods (shell.rb describes them):
#
#     player_name   choose_discards   choose_card   run_unit_tests
#
# The last line of your file hands them to Intensity.run, which reads the question, calls the one that is wanted, and prints
# what it returns. Your program is started again for every question: nothing is left of the question before.
#
# Print nothing to standard output: it belongs to the answer. Debug with warn; only your team can read that afterwards.

module Intensity
  BUFFALO = 47 # cards are numbers, 10 ... 49

  # A card, and who played it.
  Play = Struct.new(:position, :card)

  # Random numbers: different in every run, unless the environment variable INTENSITY_SEED holds a number.
  RANDOM = ENV["INTENSITY_SEED"] ? Random.new(ENV["INTENSITY_SEED"].to_i) : Random.new

  def self.calf?(card)
    card.between?(30, 39)
  end

  # What a card costs the player who wins its round.
  def self.penalty(card)
    return 7 if card == BUFFALO

    calf?(card) ? 1 : 0
  end

  # Who wins a round of plays, given in the order of play.
  def self.winner(round)
    round.select { |play| play.card / 10 == round[0].card / 10 }.max_by(&:card).position
  end

  def self.in_turn(first, cards)
    cards.each_with_index.map { |card, turn| Play.new((first + turn) % 4, card) }
  end

  # Everything you know when a card is due. Lists are in the order of play, hands and discards in increasing order.
  class Question
    attr_reader :position,  # your place at the table, 0 ... 3
                :hand,
                :table,     # the cards of this round so far; empty: you lead
                :played,    # the cards of all rounds before
                :discarded, # what you gave to the player on your left, (position + 1) % 4
                :received   # what you got from the player on your right

    def initialize(position, hand, table = [], played = [], discarded = [], received = [])
      @position, @hand, @table, @played, @discarded, @received = position, hand, table, played, discarded, received
    end

    # Whether a calf was played in an earlier round, so that calves may be led.
    def calf_played?
      played.any? { |card| Intensity.calf?(card) }
    end

    # The cards that you may play, in increasing order.
    def legal
      found = hand.select do |card|
        table.empty? ? calf_played? || !Intensity.calf?(card) : card / 10 == table[0] / 10
      end
      found.empty? ? hand : found
    end

    # The rounds before this one, each a list of plays in the order of play.
    def rounds
      leader = 0
      played.each_slice(4).map do |cards|
        round = Intensity.in_turn(leader, cards)
        leader = Intensity.winner(round)
        round
      end
    end

    # The cards of this round so far, as plays.
    def on_the_table
      Intensity.in_turn(position - table.size, table)
    end
  end

  # Answer the question on standard input.
  def self.run(player_name, choose_discards, choose_card, run_unit_tests)
    what, *numbers = $stdin.read.split.map { |word| Integer(word, 10) }
    case what
    when 0 then puts player_name.call
    when 1 then puts choose_discards.call(numbers).join(" ")
    when 2
      held, lying, position = numbers.shift(3)
      groups = [held, lying, 4 * (10 - held), 3, 3].map { |size| numbers.shift(size) }
      puts choose_card.call(Question.new(position, *groups))
    else run_unit_tests.call
    end
  end
end
