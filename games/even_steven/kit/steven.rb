# steven.rb - talks to the dealer of Even Steven for you. Do not change it: the portal has its own.
#
#     require_relative "steven"
#
#     game = Steven::Game.new
#     game.play(game.hand.first) while game.next_card
#
# next_card reads until a card must be covered, and is false when all games are over. You then play a card of game.hand.
# All of this is optional: a program that reads and writes the lines of rules.md itself is just as good.

module Steven
  VALUES = %w[2 3 4 5 6 7 8 9 10 J Q K A].each_with_index.to_h { |name, place| [name, place + 2] }.freeze
  CARD = /\A(10|[2-9JQKA])([cdhs])\z/

  # For random numbers: Steven::RANDOM.rand(n), or list.sample(random: Steven::RANDOM). To repeat a run exactly, set the
  # environment variable STEVEN_SEED to a number.
  RANDOM = ENV["STEVEN_SEED"] ? Random.new(ENV["STEVEN_SEED"].to_i) : Random.new

  # A card. to_s is its name.
  class Card
    attr_reader :name,  # as the dealer writes it, such as "10c"
                :value, # 2 ... 14: jack 11, queen 12, king 13, ace 14
                :suit   # "c", "d", "h", "s": it has no effect on anything

    def initialize(name)
      value, @suit = CARD.match(name).captures
      @name = name
      @value = VALUES[value]
    end

    # Whether this card may lie on that dealt card.
    def covers?(dealt)
      value >= dealt.value
    end

    def to_s
      name
    end
    alias inspect to_s

    def ==(other)
      other.is_a?(Card) && name == other.name
    end
    alias eql? ==

    def hash
      name.hash
    end
  end

  # Writes a line for debugging, as puts would: the dealer prints it after a `*`. In the contest, where the program is
  # started without an argument, nothing is written.
  def self.debug(line)
    say("* #{line}") unless ARGV.empty?
  end

  def self.say(line)
    $stdout.puts(line)
    $stdout.flush
  end

  # What you know of the game in progress.
  class Game
    attr_reader :number, # of this game: 1, 2, 3, ...
                :size,   # cards that you were dealt, and that you must cover
                :hand,   # the cards that you still hold, in the order of the deal
                :open,   # the card that you must cover now
                :past,   # all cards dealt so far, in order; the last is the open one
                :played, # what you played on them
                :won,    # games so far
                :lost

    def initialize
      @number = @size = @won = @lost = 0
      @hand, @past, @played = [], [], []
    end

    # Waits until a card must be covered: open. False when all games are over: end your program then.
    def next_card
      while (line = $stdin.gets)
        words = line.split
        case words.first
        when "YOU" then count(words[1])
        when /\A\d+\z/ then deal(words)
        when CARD
          @past << (@open = Card.new(words.first))
          return true
        end
      end
      false
    end

    # Plays this card on the open one.
    def play(card)
      if (place = hand.index(card))
        hand.delete_at(place)
      elsif card.is_a?(Card)
        warn "steven: #{card} is not in your hand"
      else
        warn "steven: #{card.inspect}, a #{card.class}, is not a Card of your hand"
      end
      @played << card
      Steven.say(card)
    end

    private

    def count(result)
      @won += 1 if result == "WIN"
      @lost += 1 if result == "LOSE"
    end

    def deal(words)
      @number += 1
      @size = words.first.to_i
      @hand = words.drop(1).grep(CARD).map { |name| Card.new(name) }
      @past, @played = [], []
    end
  end
end
