# acm98.tcl - what your Tricky Eights contestant may use, and the part that talks to the server. Do not change it: the contest
# puts its own copy beside your file.
#
# You write six procedures (shell.tcl describes them):
#
#     start_game   start_round   take_card   end_takes   play_card   end_round
#
# The last line of your file calls acm98::run, which reads what the server says, keeps the array GAME up to date, calls your
# procedures and sends the cards they return.
#
# Two things to remember:
#
# * Print nothing to standard output: it belongs to the server. Debug with `puts stderr ...`; only your team can read that
#   afterwards.
# * GAME is for reading only. What you change in it is gone before your next procedure is called, and the server believes no
#   one.
#
# In your procedures, write $::GAME(hand) or begin with `global GAME`. Constants are $::NORTH and so on.

# ----------------------------------------------------------------------------------------------------------------------
# Players, suits, faces, cards
# ----------------------------------------------------------------------------------------------------------------------

# Players sit clockwise in this order. The player after p is (p + 1) % 4.
lassign {0 1 2 3} NORTH EAST SOUTH WEST

lassign {0 1 2 3} CLUBS DIAMONDS HEARTS SPADES

# Faces are 2 ... 14. The cards between are simply 2 ... 10.
lassign {11 12 13 14} JACK QUEEN KING ACE

# Where a card is, as far as you can know: [lindex $GAME(where) $card] is one of these.
set HIDDEN hidden  ;# dealt to one of the other players, you do not know to whom
set POOL pool      ;# face up in the pool, may still be taken
set HELD held      ;# in the hand of player [lindex $GAME(owner) $card]: yours, or taken where everybody saw it
set TABLE table    ;# on the table, in the current trick
set PLAYED played  ;# went with an earlier trick

namespace eval acm98 {
    namespace export suit face make_card card_name card_from_name player_name legal_cards is_legal would_win count_suit
    namespace export count_higher is_seen trick_points next_player random_int run

    variable suits {c d h s}
    variable faces {2 3 4 5 6 7 8 9 t j q k a}
    variable players {n e s w}
}

# A card is a number 0 ... 51, so that it can be the index of a list: first the clubs from 2 to ace (0 ... 12), then the
# diamonds, the hearts and the spades. suit, face and make_card take it apart and put it together.

# 0 ($CLUBS) ... 3 ($SPADES).
proc acm98::suit {card} {
    return [expr {$card / 13}]
}

# 2 ... 14 ($ACE).
proc acm98::face {card} {
    return [expr {$card % 13 + 2}]
}

# [make_card $HEARTS 8] is the eight of hearts.
proc acm98::make_card {suit face} {
    return [expr {$suit * 13 + $face - 2}]
}

proc acm98::is_card {card} {
    return [expr {[string is integer -strict $card] && $card >= 0 && $card < 52}]
}

# The name of a card as the server writes it, such as dk.
proc acm98::card_name {card} {
    variable suits
    variable faces
    if {![is_card $card]} {
        return "??"
    }
    return [lindex $suits [suit $card]][lindex $faces [expr {$card % 13}]]
}

# The inverse: [card_from_name dk]. Empty if it is not a card.
proc acm98::card_from_name {name} {
    variable suits
    variable faces
    set suit [lsearch -exact $suits [string index $name 0]]
    set face [lsearch -exact $faces [string range $name 1 end]]
    if {$suit < 0 || $face < 0} {
        return ""
    }
    return [expr {$suit * 13 + $face}]
}

proc acm98::player_name {player} {
    return [expr {$player eq "" ? "nobody" : [lindex {north east south west} $player]}]
}

# ----------------------------------------------------------------------------------------------------------------------
# GAME
# ----------------------------------------------------------------------------------------------------------------------

# One trick, finished or not, is a dictionary: [dict get $GAME(trick) count].
proc acm98::new_trick {leader points} {
    set trick {}
    dict set trick leader $leader    ;# who played the first card
    dict set trick count 0           ;# how many cards it has, 0 ... 4
    dict set trick card {{} {} {} {}}  ;# [lindex ... $p] is what player p played, or empty: by the player, not the order
    dict set trick winner {}         ;# who wins it as it stands (empty while the trick is)
    dict set trick points $points    ;# what it is worth as it stands: 1 (first and last trick 3) and 2 for each eight
    return $trick
}

# Everything you know is in the array GAME, with these keys.
proc acm98::new_game {me round total} {
    variable truth
    set truth(me) $me                ;# which player you are: $NORTH ... $WEST
    set truth(round) $round          ;# number of the round, from 1
    set truth(dealer) [expr {($round + 3) % 4}]  ;# dealer of this round: takes first, and leads the first trick
    set truth(total) $total          ;# points of all finished rounds. In end_round this round is already in it.
    set truth(points) {0 0 0 0}      ;# points made in this round so far

    # Your hand: the cards you hold now, in the order in which you got them. Cards you played are no longer in it.
    set truth(hand) {}

    # The takes
    set truth(pool) {}               ;# the cards left in the pool: during take_card, those you may choose from
    set truth(take) {{} {} {} {}}    ;# [lindex $GAME(take) $p]: what player p took so far, in that order

    # The play
    set truth(trick_number) 0        ;# number of the current trick 1 ... 13; 0 during the takes, 14 in end_round
    set truth(trick) [new_trick $truth(dealer) 1]  ;# the current trick: in play_card the cards played before you
    set truth(past) {}               ;# the finished tricks of this round

    # What you know of every card and every player: a card counter's table, kept for you
    set truth(where) [lrepeat 52 $::HIDDEN]  ;# $HIDDEN, $POOL, $HELD, $TABLE or $PLAYED, by the card
    set truth(owner) [lrepeat 52 {}]         ;# who holds, played or took that card; empty if it is hidden or in the pool
    set truth(cards_left) {10 10 10 10}      ;# how many cards player p holds
    set truth(is_out) [lrepeat 4 {0 0 0 0}]  ;# [lindex $GAME(is_out) $p $suit]: 1 if p has none left, as it did not follow
}

# ----------------------------------------------------------------------------------------------------------------------
# Helper routines. None of them changes anything.
# ----------------------------------------------------------------------------------------------------------------------

# The cards you may play now: those of the suit led, if you have any, or else your whole hand. During the takes: the pool.
proc acm98::legal_cards {{state ::GAME}} {
    upvar #0 $state game
    if {$game(trick_number) == 0} {
        return $game(pool)
    }
    if {[dict get $game(trick) count] == 0} {
        return $game(hand)
    }
    set led [suit [lindex [dict get $game(trick) card] [dict get $game(trick) leader]]]
    set following [lmap card $game(hand) {expr {[suit $card] == $led ? $card : [continue]}}]
    return [expr {[llength $following] ? $following : $game(hand)}]
}

# 1 if you may play (during the takes: take) this card now, or else 0.
proc acm98::is_legal {card} {
    return [expr {$card in [legal_cards]}]
}

# 1 if this card would be the winning one of the current trick if you played it now, or else 0.
proc acm98::would_win {card {state ::GAME}} {
    upvar #0 $state game
    set winner [dict get $game(trick) winner]
    if {$winner eq ""} {
        return 1
    }
    set best [lindex [dict get $game(trick) card] $winner]
    return [expr {[suit $card] == [suit $best] && $card > $best}]
}

# How many cards of a suit you hold.
proc acm98::count_suit {wanted} {
    set count 0
    foreach card $::GAME(hand) {
        incr count [expr {[suit $card] == $wanted}]
    }
    return $count
}

# How many cards that beat this one (same suit, higher) may still come from the other players: those that are not yours, not
# played and not on the table. 0: nobody can beat it any more, if its suit is led.
proc acm98::count_higher {card} {
    set count 0
    for {set other [expr {$card + 1}]} {[suit $other] == [suit $card]} {incr other} {
        set gone [expr {[lindex $::GAME(where) $other] in [list $::PLAYED $::TABLE]}]
        incr count [expr {!$gone && [lindex $::GAME(owner) $other] ne $::GAME(me)}]
    }
    return $count
}

# 1 if you know where this card is: it was played, is face up, was taken by somebody, or is yours. Or else 0.
proc acm98::is_seen {card} {
    return [expr {[lindex $::GAME(where) $card] ne $::HIDDEN}]
}

# What trick 1 ... 13 with these cards (empty for an empty place) is worth: 1, or 3 for the first and the last, and 2 for each
# eight.
proc acm98::trick_points {number cards} {
    set points [expr {$number in {1 13} ? 3 : 1}]
    foreach card $cards {
        incr points [expr {$card ne "" && [face $card] == 8 ? 2 : 0}]
    }
    return $points
}

proc acm98::next_player {player} {
    return [expr {($player + 1) % 4}]
}

# A random number 0 ... n - 1, evenly distributed. Different in every run, unless the environment variable ACM98_SEED holds a
# number (to debug: the same number gives the same random numbers; it is not set in the contest).
proc acm98::random_int {n} {
    return [expr {int(rand() * $n)}]
}

if {[info exists env(ACM98_SEED)]} {
    expr {srand($env(ACM98_SEED))}
} else {
    expr {srand([clock clicks] ^ ([pid] << 16))}
}

# ----------------------------------------------------------------------------------------------------------------------
# You need not read beyond this line.
# ----------------------------------------------------------------------------------------------------------------------

namespace eval acm98 {
    variable truth        ;# what the server told us; GAME becomes a copy of it before each of your procedures is called
    variable takes_ended 0
    variable round_ended 1
    variable words {}
}
acm98::new_game {} 0 {0 0 0 0}
array set GAME [array get acm98::truth]

# Plays: call this once, as the last line of your file. It reads the commands, one word at a time, and ends your program when
# the server has nothing more to say:
#
#     starthand WHO ten-cards twelve-cards             a round begins
#     take  (WHO CARD)x0..3 ME                         take a card from the pool      -> we answer with a card
#     aftertake (WHO CARD)x4                           what everybody took
#     play  (WHO CARD)x0..3 ME                         play a card                    -> we answer with a card
#     result (WHO CARD)x4   or   resultoftrick ...     what everybody played
#     endround              or   end A B C D           the round is over
#
# Any other word is ignored, and so are superfluous cards and numbers. What aftertake and result say is what counts; our own
# answer changes nothing by itself.
proc acm98::run {} {
    call start_game
    while 1 {
        switch -exact -- [read_word] {
            starthand { on_starthand }
            take { on_take }
            aftertake { on_aftertake }
            play { on_play }
            result - resultoftrick { on_result }
            endround - end { on_endround }
        }
    }
}

proc acm98::call {procedure} {
    variable truth
    array unset ::GAME
    array set ::GAME [array get truth]
    return [uplevel #0 [list $procedure]]
}

proc acm98::answer {procedure card} {
    variable truth
    if {![is_card $card]} {
        puts stderr "acm98: $procedure returned \"$card\": a card is a number 0 ... 51"
    } elseif {$card ni [legal_cards ::acm98::truth]} {
        set why [expr {$card in $truth(hand) ? "does not follow suit" : "is not in your hand"}]
        if {$procedure eq "take_card"} {
            set why "is not in the pool"
        }
        puts stderr "acm98: $procedure returned [card_name $card], which $why"
    }
    puts [card_name $card]
    flush stdout
}

# Words are separated by blanks and line ends. Lines may have any length. The end of input ends the program.
proc acm98::read_word {} {
    variable words
    while {![llength $words]} {
        if {[gets stdin line] < 0} {
            exit 0
        }
        set words [lreverse [regexp -all -inline {\S+} $line]]
    }
    set word [lindex $words end]
    set words [lrange $words 0 end-1]
    return $word
}

proc acm98::read_card {} {
    set word [read_word]
    set card [card_from_name $word]
    if {$card eq ""} {
        puts stderr "acm98: \"$word\" is not a card"
    }
    return $card
}

proc acm98::read_player {} {
    variable players
    set word [read_word]
    set player [lsearch -exact $players $word]
    if {$player < 0} {
        puts stderr "acm98: \"$word\" is not a player"
        return ""
    }
    return $player
}

proc acm98::read_cards {count} {
    set cards {}
    while {[incr count -1] >= 0} {
        set card [read_card]
        if {$card ne ""} {
            lappend cards $card
        }
    }
    return $cards
}

# The players and cards of a question, up to our own place. Returns who was first. The commented game on paper shows our answer
# behind it: that is then a word too many.
proc acm98::read_others {tell} {
    variable truth
    set first [set player [read_player]]
    while {$player ne "" && $player ne $truth(me)} {
        $tell $player [read_card]
        set player [read_player]
    }
    return [expr {$first eq "" ? $truth(me) : $first}]
}

# The four players and cards of a summary. Returns who was first.
proc acm98::read_four {tell} {
    variable truth
    set first [set player [read_player]]
    $tell $player [read_card]
    foreach _ {2 3 4} {
        set player [read_player]
        $tell $player [read_card]
    }
    return [expr {$first eq "" ? $truth(dealer) : $first}]
}

# Somebody took a card from the pool. Hearing it twice (in a question, then in the summary) changes nothing.
proc acm98::tell_take {player card} {
    variable truth
    set place [lsearch -exact $truth(pool) $card]
    if {$player eq "" || $place < 0} {
        return
    }
    set truth(pool) [lreplace $truth(pool) $place $place]
    lset truth(where) $card $::HELD
    lset truth(owner) $card $player
    lset truth(take) $player [concat [lindex $truth(take) $player] $card]
    lset truth(cards_left) $player [expr {[lindex $truth(cards_left) $player] + 1}]
    if {$player == $truth(me)} {
        lappend truth(hand) $card
    }
}

# Somebody played a card to the current trick. Hearing it twice changes nothing.
proc acm98::tell_play {player card} {
    variable truth
    if {$player eq "" || $card eq "" || [lindex [dict get $truth(trick) card] $player] ne ""} {
        return
    }
    if {[dict get $truth(trick) count] == 0} {
        dict set truth(trick) leader $player
    }
    if {[would_win $card ::acm98::truth]} {
        dict set truth(trick) winner $player
    }
    set cards [dict get $truth(trick) card]
    lset cards $player $card
    dict set truth(trick) card $cards
    dict incr truth(trick) count
    dict incr truth(trick) points [expr {[face $card] == 8 ? 2 : 0}]
    set led [suit [lindex $cards [dict get $truth(trick) leader]]]
    if {[suit $card] != $led} {
        lset truth(is_out) $player $led 1
    }
    lset truth(where) $card $::TABLE
    lset truth(owner) $card $player
    lset truth(cards_left) $player [expr {[lindex $truth(cards_left) $player] - 1}]
    set truth(hand) [lsearch -all -inline -not -exact $truth(hand) $card]
}

proc acm98::on_starthand {} {
    variable truth
    variable takes_ended 0
    variable round_ended 0
    new_game [read_player] [expr {$truth(round) + 1}] $truth(total)
    set truth(hand) [read_cards 10]
    set truth(pool) [read_cards 12]
    foreach card $truth(hand) {
        lset truth(where) $card $::HELD
        lset truth(owner) $card $truth(me)
    }
    foreach card $truth(pool) {
        lset truth(where) $card $::POOL
    }
    call start_round
}

proc acm98::on_take {} {
    variable truth
    set truth(dealer) [read_others tell_take]
    answer take_card [call take_card]
}

proc acm98::on_aftertake {} {
    variable truth
    set truth(dealer) [read_four tell_take]
    if {![llength $truth(pool)]} {
        end_takes_once
    }
}

proc acm98::end_takes_once {} {
    variable truth
    variable takes_ended
    if {$takes_ended} {
        return
    }
    set takes_ended 1
    set truth(trick_number) 1
    set truth(trick) [new_trick $truth(dealer) 3]
    call end_takes
}

proc acm98::on_play {} {
    variable truth
    end_takes_once  ;# for a person who types and left out an aftertake
    set leader [read_others tell_play]
    dict set truth(trick) leader $leader
    answer play_card [call play_card]
}

proc acm98::on_result {} {
    variable truth
    read_four tell_play
    set winner [dict get $truth(trick) winner]
    if {$winner eq "" || $truth(trick_number) < 1 || $truth(trick_number) > 13} {
        return
    }
    foreach card [dict get $truth(trick) card] {
        if {$card ne ""} {
            lset truth(where) $card $::PLAYED
        }
    }
    lset truth(points) $winner [expr {[lindex $truth(points) $winner] + [dict get $truth(trick) points]}]
    lappend truth(past) $truth(trick)
    incr truth(trick_number)
    set truth(trick) [new_trick $winner [trick_points $truth(trick_number) {}]]
}

proc acm98::on_endround {} {
    variable truth
    variable round_ended
    if {$round_ended} {
        return
    }
    set round_ended 1
    set truth(total) [lmap total $truth(total) points $truth(points) {expr {$total + $points}}]
    call end_round
}

namespace import acm98::*
