# acm98.rb - what your Tricky Eights contestant may use, and the part that talks to the server. Do not change it: the contest
# puts its own copy beside your file.
#
# You write six methods (shell.rb describes them):
#
#     start_game   start_round   take_card   end_takes   play_card   end_round
#
# They belong to a class of your own that inherits from Acm98::Contestant. The last line of your file makes one and calls
# `run`, which reads what the server says, keeps GAME up to date, calls your methods and sends the cards they return.
#
# Two things to remember:
#
# * Print nothing to standard output: it belongs to the server. Debug with `warn`; only your team can read that afterwards.
#   (`puts` and `p` write to standard output.)
# * GAME is for reading only. What you change in it is gone before your next method is called, and the server believes no one.

module Acm98
  # --------------------------------------------------------------------------------------------------------------------
  # Players, suits, faces, cards
  # --------------------------------------------------------------------------------------------------------------------

  # Players sit clockwise in this order. The player after p is (p + 1) % 4.
  NORTH, EAST, SOUTH, WEST = 0, 1, 2, 3

  CLUBS, DIAMONDS, HEARTS, SPADES = 0, 1, 2, 3

  # Faces are 2 ... 14. The cards between are simply 2 ... 10.
  JACK, QUEEN, KING, ACE = 11, 12, 13, 14

  # A card is a number 0 ... 51, so that it can be the index of an array: first the clubs from 2 to ace (0 ... 12), then the
  # diamonds, the hearts and the spades. suit, face and make_card take it apart and put it together.

  # CLUBS ... SPADES.
  def suit(card)
    card / 13
  end

  # 2 ... ACE.
  def face(card)
    card % 13 + 2
  end

  # make_card(HEARTS, 8) is the eight of hearts.
  def make_card(suit, face)
    suit * 13 + face - 2
  end

  NAMES = %w[c d h s].product([*"2".."9", *%w[t j q k a]]).map(&:join).freeze

  # The name of a card as the server writes it, such as "dk".
  def card_name(card)
    card.is_a?(Integer) && card.between?(0, 51) ? NAMES[card] : "??"
  end

  # The inverse: card_from_name("dk"). nil if it is not a card.
  def card_from_name(name)
    NAMES.index(name)
  end

  def player_name(player)
    player ? %w[north east south west][player] : "nobody"
  end

  # --------------------------------------------------------------------------------------------------------------------
  # GAME
  # --------------------------------------------------------------------------------------------------------------------

  # Where a card is, as far as you can know: GAME.where[card].
  HIDDEN = :hidden # dealt to one of the other players, you do not know to whom
  POOL = :pool     # face up in the pool, may still be taken
  HELD = :held     # in the hand of player GAME.owner[card]: yours, or taken from the pool where everybody saw it
  TABLE = :table   # on the table, in the current trick
  PLAYED = :played # went with an earlier trick

  # One trick, finished or not.
  class Trick
    attr_accessor :leader, # who played the first card
                  :count,  # how many cards it has, 0 ... 4
                  :card,   # card[p]: what player p played, or nil. The index is the player, not the order.
                  :winner, # who wins it as it stands (nil while it is empty)
                  :points  # what it is worth as it stands: 1 (first and last trick 3) and 2 for each eight

    def initialize(leader, points)
      @leader, @points = leader, points
      @count, @card, @winner = 0, [nil] * 4, nil
    end
  end

  # Everything you know. There is one of these, GAME.
  class Game
    attr_accessor :me,     # which player you are: NORTH ... WEST
                  :round,  # number of the round, from 1
                  :dealer, # dealer of this round: takes first, and leads the first trick
                  :total,  # points of all finished rounds. In end_round this round is already in it.
                  :points, # points made in this round so far

                  # Your hand: the cards you hold now, in the order in which you got them. Cards you played are no longer in it.
                  :hand,

                  # The takes
                  :pool, # the cards left in the pool: during take_card, those you may choose from
                  :take, # take[p]: what player p took so far, in that order

                  # The play
                  :trick_number, # number of the current trick 1 ... 13; 0 during the takes, 14 in end_round
                  :trick,        # the current trick: in play_card the cards that were played before you
                  :past,         # the finished tricks of this round

                  # What you know of every card and every player: a card counter's table, kept for you
                  :where,      # HIDDEN, POOL, HELD, TABLE or PLAYED
                  :owner,      # who holds, played or took that card; nil for a card that is HIDDEN or in the POOL
                  :cards_left, # how many cards player p holds
                  :is_out      # is_out[p][suit]: p has none left, because it did not follow

    def initialize
      @me, @round, @total = nil, 0, [0] * 4
      new_round(NORTH)
    end

    def new_round(dealer)
      @dealer, @points, @hand, @pool, @take = dealer, [0] * 4, [], [], Array.new(4) { [] }
      @trick_number, @trick, @past = 0, Trick.new(dealer, 1), []
      @where, @owner, @cards_left = [HIDDEN] * 52, [nil] * 52, [10] * 4
      @is_out = Array.new(4) { [false] * 4 }
    end

    # Makes this one a copy of another that shares nothing with it.
    def become(other)
      copied = Marshal.load(Marshal.dump(other))
      copied.instance_variables.each { |name| instance_variable_set(name, copied.instance_variable_get(name)) }
    end
  end

  GAME = Game.new

  # --------------------------------------------------------------------------------------------------------------------
  # Helper routines. None of them changes anything.
  # --------------------------------------------------------------------------------------------------------------------

  # The cards you may play now: those of the suit led, if you have any, or else your whole hand. During the takes: the pool.
  def legal_cards(game = GAME)
    return game.pool.dup if game.trick_number.zero?
    return game.hand.dup if game.trick.count.zero?

    led = suit(game.trick.card[game.trick.leader])
    following = game.hand.select { |card| suit(card) == led }
    following.empty? ? game.hand.dup : following
  end

  # Whether you may play (during the takes: take) this card now.
  def legal?(card)
    legal_cards.include?(card)
  end

  # Whether this card would be the winning one of the current trick if you played it now.
  def would_win?(card, trick = GAME.trick)
    return true unless trick.winner

    best = trick.card[trick.winner]
    suit(card) == suit(best) && card > best
  end

  # How many cards of a suit you hold.
  def count_suit(wanted)
    GAME.hand.count { |card| suit(card) == wanted }
  end

  # How many cards that beat this one (same suit, higher) may still come from the other players: those that are not yours, not
  # played and not on the table. 0: nobody can beat it any more, if its suit is led.
  def count_higher(card)
    above = (card + 1)...(suit(card) * 13 + 13)
    above.count { |other| ![PLAYED, TABLE].include?(GAME.where[other]) && GAME.owner[other] != GAME.me }
  end

  # Whether you know where this card is: it was played, is face up, was taken by somebody, or is yours.
  def seen?(card)
    GAME.where[card] != HIDDEN
  end

  # What trick 1 ... 13 with these cards (nil for an empty place) is worth: 1, or 3 for the first and the last, and 2 for
  # each eight.
  def trick_points(number, cards)
    ([1, 13].include?(number) ? 3 : 1) + 2 * cards.compact.count { |card| face(card) == 8 }
  end

  def next_player(player)
    (player + 1) % 4
  end

  # Random numbers: RANDOM.rand(n), list.sample(random: RANDOM) ... Different in every run, unless the environment variable
  # ACM98_SEED holds a number (to debug; it is not set in the contest).
  RANDOM = ENV["ACM98_SEED"] ? Random.new(ENV["ACM98_SEED"].to_i) : Random.new

  # What your own class inherits from.
  class Contestant
    include Acm98

    # Plays: call this once, as the last line of your file. It returns when the server has nothing more to say.
    def run
      Library.new(self).run
    end
  end

  # --------------------------------------------------------------------------------------------------------------------
  # You need not read beyond this line.
  # --------------------------------------------------------------------------------------------------------------------

  # Reads the commands, one word at a time:
  #
  #     starthand WHO ten-cards twelve-cards             a round begins
  #     take  (WHO CARD)x0..3 ME                         take a card from the pool      -> we answer with a card
  #     aftertake (WHO CARD)x4                           what everybody took
  #     play  (WHO CARD)x0..3 ME                         play a card                    -> we answer with a card
  #     result (WHO CARD)x4   or   resultoftrick ...     what everybody played
  #     endround              or   end A B C D           the round is over
  #
  # Any other word is ignored, and so are superfluous cards and numbers. The end of input ends the program. What aftertake and
  # result say is what counts; our own answer changes nothing by itself.
  #
  # None of your methods may take more than 4 seconds. When one has used 10 milliseconds or more of processor time, our next
  # answer says so, as in `dk cpu StartRound 31 TakeCard 512`.
  class Library
    include Acm98

    # The six, by their names of 1998.
    FUNCTIONS = { start_game: "StartGame", start_round: "StartRound", take_card: "TakeCard",
                  end_takes: "EndTakes", play_card: "PlayCard", end_round: "EndRound" }.freeze

    def initialize(contestant)
      @contestant = contestant
      @truth = Game.new # what the server told us; GAME becomes a copy of it before each of your methods is called
      @used = Hash.new(0) # milliseconds of processor time since our last answer
      @takes_ended, @round_ended = false, true
      @words = []
    end

    def run
      call(:start_game)
      catch(:ended) { loop { hear(read_word) } }
    end

    private

    def hear(command)
      case command
      when "starthand" then start_hand
      when "take" then take
      when "aftertake" then after_take
      when "play" then play
      when "result", "resultoftrick" then result
      when "endround", "end" then end_round_once
      end
    end

    def call(name)
      GAME.become(@truth)
      started = clock
      card = @contestant.send(name)
      @used[name] += clock - started
      card
    end

    def clock
      Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :float_millisecond)
    end

    def answer(name, card)
      complain(name, card) unless legal_cards(@truth).include?(card)
      report = FUNCTIONS.select { |each, _| @used[each] >= 10 }.map { |each, known| " #{known} #{@used[each].floor}" }
      @used.clear
      $stdout.write("#{card_name(card)}#{' cpu' unless report.empty?}#{report.join}\n")
      $stdout.flush
    end

    def complain(name, card)
      if card_name(card) == "??"
        warn "acm98: #{name} returned #{card.inspect[0, 80]}, of class #{card.class}: a card is an Integer, 0 ... 51"
      else
        why = @truth.hand.include?(card) ? "does not follow suit" : "is not in your hand"
        warn "acm98: #{name} returned #{card_name(card)}, which #{name == :take_card ? 'is not in the pool' : why}"
      end
    end

    # Words are separated by blanks and line ends. Lines may have any length.
    def read_word
      while @words.empty?
        line = $stdin.gets or throw :ended
        @words = line.b.split
      end
      @words.shift
    end

    def read_card
      word = read_word
      card_from_name(word) or warn("acm98: \"#{word}\" is not a card")
    end

    def read_player
      word = read_word
      %w[n e s w].index(word) or warn("acm98: \"#{word}\" is not a player")
    end

    # The players and cards of a question, up to our own place. Returns who was first. The commented game on paper shows our
    # answer behind it: that is then a word too many.
    def read_others
      first = player = read_player
      until player.nil? || player == @truth.me
        yield player, read_card
        player = read_player
      end
      first || @truth.me
    end

    # The four players and cards of a summary. Returns who was first.
    def read_four(&tell)
      pairs = Array.new(4) { [read_player, read_card] }
      pairs.each(&tell)
      pairs[0][0]
    end

    # Somebody took a card from the pool. Hearing it twice (in a question, then in the summary) changes nothing.
    def tell_take(player, card)
      return if player.nil? || !@truth.pool.delete(card)

      @truth.where[card] = HELD
      @truth.owner[card] = player
      @truth.take[player] << card
      @truth.cards_left[player] += 1
      @truth.hand << card if player == @truth.me
    end

    # Somebody played a card to the current trick. Hearing it twice changes nothing.
    def tell_play(player, card)
      trick = @truth.trick
      return if player.nil? || card.nil? || trick.card[player]

      trick.leader = player if trick.count.zero?
      trick.winner = player if would_win?(card, trick)
      trick.card[player] = card
      trick.count += 1
      trick.points += 2 if face(card) == 8
      led = suit(trick.card[trick.leader])
      @truth.is_out[player][led] = true if suit(card) != led
      @truth.where[card] = TABLE
      @truth.owner[card] = player
      @truth.cards_left[player] -= 1
      @truth.hand.delete(card)
    end

    def start_hand
      @truth.round += 1
      @truth.new_round((@truth.round - 1) % 4)
      @truth.me = read_player
      @truth.hand = Array.new(10) { read_card }.compact
      @truth.pool = Array.new(12) { read_card }.compact
      @truth.hand.each { |card| @truth.where[card], @truth.owner[card] = HELD, @truth.me }
      @truth.pool.each { |card| @truth.where[card] = POOL }
      @takes_ended = @round_ended = false
      call(:start_round)
    end

    def take
      @truth.dealer = read_others { |player, card| tell_take(player, card) }
      answer(:take_card, call(:take_card))
    end

    def after_take
      @truth.dealer = read_four { |player, card| tell_take(player, card) }
      end_takes_once if @truth.pool.empty?
    end

    def end_takes_once
      return if @takes_ended

      @takes_ended = true
      @truth.trick_number = 1
      @truth.trick = Trick.new(@truth.dealer, 3)
      call(:end_takes)
    end

    def play
      end_takes_once # for a person who types and left out an aftertake
      @truth.trick.leader = read_others { |player, card| tell_play(player, card) }
      answer(:play_card, call(:play_card))
    end

    def result
      read_four { |player, card| tell_play(player, card) }
      trick = @truth.trick
      return if trick.winner.nil? || !@truth.trick_number.between?(1, 13)

      trick.card.compact.each { |card| @truth.where[card] = PLAYED }
      @truth.points[trick.winner] += trick.points
      @truth.past << trick
      @truth.trick_number += 1
      @truth.trick = Trick.new(trick.winner, trick_points(@truth.trick_number, []))
    end

    def end_round_once
      return if @round_ended

      @round_ended = true
      @truth.total = @truth.total.zip(@truth.points).map(&:sum)
      call(:end_round)
    end
  end
end
