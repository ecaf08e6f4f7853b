# mactech98.rb - talks to the referee of Hearts, so you do not have to. Do not change it: the contest runs your player with its own
# copy.
#
# You write a class with the six routines of the Programmer's Challenge of 1998 (shell.rb describes them):
#
#     init_tournament   init_game   select_pass   play_trick   trick_results   hand_results
#
# The last line of your file hands an object of it to Hearts.run. Arrays of four are indexed by seat. A hand is an array of 13
# cards; where a card was played there is NO_CARD. Arrays are yours to change.
#
# Print nothing to standard output: it belongs to the referee. Debug with warn; only your team can read that afterwards. Each
# millisecond of processor time that your routines use costs a point.

module Hearts
  SUITS = %i[no_suit spade heart diamond club].freeze
  JACK, QUEEN, KING, ACE = 10, 11, 12, 13 # spots are 1 (the two) ... 13 (the ace), as in 1998
  FACES = %w[2 3 4 5 6 7 8 9 10 J Q K A].freeze

  # suit: one of SUITS. There is one object for each card.
  Card = Struct.new(:suit, :spot) do
    # Whether it costs points: a heart, or the queen of spades.
    def point?
      suit == :heart || (suit == :spade && spot == QUEEN)
    end

    def to_s
      suit == :no_suit ? "--" : FACES[spot - 1] + " SHDC"[SUITS.index(suit)]
    end
  end

  NO_CARD = Card.new(:no_suit, 0).freeze
  CARDS = SUITS.drop(1).product((1..13).to_a).to_h { |suit, spot| card = Card.new(suit, spot).freeze; [card.to_s, card] }.freeze

  # Random numbers: different in every run, unless the environment variable MACTECH98_SEED holds a number.
  RANDOM = ENV["MACTECH98_SEED"] ? Random.new(ENV["MACTECH98_SEED"].to_i) : Random.new

  # The indices of the cards that may be played now. led: the card that was led, NO_CARD when you lead; points_played: whether a
  # point card was played on an earlier trick of this hand.
  def self.legal_indices(hand, trick_number, led, points_played)
    held = hand.each_index.reject { |index| hand[index] == NO_CARD }
    wanted = if led != NO_CARD
               held.select { |index| hand[index].suit == led.suit }
             elsif trick_number.zero?
               held.select { |index| hand[index] == CARDS["2C"] }
             elsif !points_played && !held.all? { |index| hand[index].point? }
               held.reject { |index| hand[index].suit == :heart }
             end
    wanted.nil? || wanted.empty? ? held : wanted
  end

  # Talks to the referee.
  class Harness
    def initialize(player)
      @player = player
      @dealt, @hand = [], [] # as it was dealt; as it is now, with gaps
      @direction = :none
      @seat = 0
      @used = 0 # nanoseconds of your routines since our last answer
    end

    def run
      $stdout.sync = true
      while (line = $stdin.gets)
        kind, *words = line.split
        case kind
        when "hello" then answer("ready")
        when "tournament" then call(:init_tournament, *words.map(&:to_i))
        when "game" then start_game(words.map(&:to_i))
        when "hand" then deal(*words)
        when "pass" then answer(call(:select_pass, @dealt.dup, @direction).join(" "))
        when "received" then words.each_slice(2) { |index, name| @hand[index.to_i] = CARDS[name] }
        when "play" then play(words[0].to_i, words[1].to_i, words.drop(2))
        when "trick" then end_trick(CARDS.values_at(*words.first(4)), words[4].to_i)
        when "score" then call(:hand_results, words.first(4).map(&:to_i), words.drop(4).map(&:to_i))
        when "end" then answer("done")
        end
      end
    end

    private

    def call(routine, *values)
      started = now
      @player.public_send(routine, *values)
    ensure
      @used += now - started
    end

    def now
      Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)
    end

    def answer(text)
      $stdout.write("#{text} cpu #{@used}\n")
      @used = 0
    end

    def start_game(numbers)
      *ids, @seat = numbers
      call(:init_game, ids, @seat)
    end

    def deal(direction, *names)
      @direction = direction.to_sym
      @dealt = CARDS.values_at(*names)
      @hand = @dealt.dup
      call(:select_pass, @dealt.dup, :none) if @direction == :none
    end

    def play(number, leader, names)
      played = [NO_CARD] * 4
      names.each_with_index { |name, turn| played[(leader + turn) % 4] = CARDS[name] }
      answer(call(:play_trick, number, leader, @hand.dup, played))
    end

    def end_trick(cards, winner)
      @hand.map! { |card| card == cards[@seat] ? NO_CARD : card }
      call(:trick_results, cards, winner)
    end
  end

  # Play until there is nothing more to read.
  def self.run(player)
    Harness.new(player).run
  end
end
