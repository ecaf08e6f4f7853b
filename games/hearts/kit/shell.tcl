# shell.tcl - an empty contestant for Hearts, for you to fill in.
#
# Team:
# Strategy in one line:
#
# Read mactech98.tcl first: it says what the six routines get and return. This shell passes its first three cards and plays the
# first card that is allowed, so it follows the rules from the start. Change one thing at a time, and play a few games after
# every change.
#
# Your program stays alive for a whole match of many games, so variables of your own keep their values from one call to the next.
# Every millisecond of processor time in your routines costs a point.

source [file join [file dirname [info script]] mactech98.tcl]

set me 0            ;# our seat
set points_played 0 ;# whether a heart or the queen of spades was played on an earlier trick of this hand

# Called once, before anything else. A game is over after the hand in which somebody has game_ending_score points.
proc init_tournament {num_players game_ending_score} {
}

# Called before each game. The same number in player_ids is the same player throughout the tournament. Player i + 1 (modulo 4) sits
# to the left of player i.
proc init_game {player_ids your_seat} {
    set ::me $your_seat
}

# Called at the beginning of every hand. Return three different indices of dealt_hand (0 ... 12). direction is left, right, across
# or none: then nothing is passed, and what you return is ignored.
proc select_pass {dealt_hand direction} {
    set ::points_played 0
    return {0 1 2}
}

# Called 13 times a hand. Return the index of the card that you play. your_hand has "" where cards were played, and the cards that
# were passed to you in the places of those that you passed. cards_played is indexed by seat, with "" where nobody has played yet:
# the one at trick_leader was led, unless you lead.
proc play_trick {trick_number trick_leader your_hand cards_played} {
    set led [lindex $cards_played $trick_leader]
    return [lindex [hearts::legal_indices $your_hand $trick_number $led $::points_played] 0]
}

# Called after each trick: what everybody played, by seat, and who took it.
proc trick_results {last_trick trick_winner} {
    foreach card $last_trick {
        set ::points_played [expr {$::points_played || [hearts::is_point $card]}]
    }
}

# Called after each hand. A player who has shot the moon gets -26 points.
proc hand_results {points_this_hand cum_points} {
    puts stderr "my points: [lindex $points_this_hand $::me], now [lindex $cum_points $::me] in all"
}

# Do not change this.
hearts::run
