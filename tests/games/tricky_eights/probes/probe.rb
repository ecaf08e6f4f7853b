# probe.rb - plays the commented game of 1998 as south did, and prints GAME and the helpers' results. Then it scribbles.

require_relative "acm98"

class Probe < Acm98::Contestant
  PLACES = [HIDDEN, POOL, HELD, TABLE, PLAYED].freeze

  def say(*words)
    warn words.flatten.map { |word| { true => 1, false => 0 }.fetch(word, word) }.join(" ")
  end

  def cpu
    Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
  end

  def burn
    ending = cpu + 0.05
    Integer while ENV["BURN"] && cpu < ending
  end

  def scribble
    [GAME.trick, *GAME.past].each { |trick| trick.card.clear }
    GAME.instance_variables.map { |name| GAME.instance_variable_get(name) }.grep(Array).each do |list|
      list.grep(Array).each(&:clear)
      list.clear
    end
    GAME.trick_number = 99
  end

  def start_game
    @takes = %w[h5 ck ha].map { |name| card_from_name(name) }
    @plays = %w[dk h9 ca h2 s8 sq h4 hj c7 st h5 ck ha].map { |name| card_from_name(name) }
    say("game", GAME.hand.size)
    scribble
  end

  def start_round
    burn
    say("round", GAME.round, "dealer", player_name(GAME.dealer), "me", player_name(GAME.me), "hand", GAME.hand.size,
        "pool", GAME.pool.size, "clubs", count_suit(CLUBS))
    scribble
  end

  def take_card
    scribble
    @takes.shift
  end

  def end_takes
    hk = make_card(HEARTS, KING)
    say("takes over hand", GAME.hand.size, "east", card_name(GAME.take[EAST][0]), "where",
        PLACES.index(GAME.where[hk]), "owner", player_name(GAME.owner[hk]))
    scribble
  end

  def play_card
    burn
    card = @plays.shift
    say("trick", GAME.trick_number, "leader", player_name(GAME.trick.leader), "lie", GAME.trick.count, "worth",
        GAME.trick.points, "legal", legal_cards.size, card_name(card), "ok", legal?(card), "wins", would_win?(card),
        "higher", count_higher(card))
    scribble
    card
  end

  def end_round
    say("end", GAME.points, "total", GAME.total)
    say("past", player_name(GAME.past[12].winner), GAME.past[12].points, "out",
        GAME.is_out[SOUTH].map { |out| out ? 1 : 0 }.join, "left", GAME.cards_left[WEST], "seen",
        seen?(card_from_name("d2")), "next", player_name(next_player(WEST)), "worth",
        trick_points(13, GAME.past[4].card))
  end
end

Probe.new.run
