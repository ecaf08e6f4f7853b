# random.tcl - a contestant that follows the rules and otherwise passes and plays at random. It loses to any reasonable player: make
# it a little better, again and again.

source [file join [file dirname [info script]] mactech98.tcl]

set points_played 0 ;# whether a heart or the queen of spades was played on an earlier trick of this hand

proc init_tournament {num_players game_ending_score} {
}

proc init_game {player_ids your_seat} {
}

proc select_pass {dealt_hand direction} {
    set ::points_played 0
    set left {0 1 2 3 4 5 6 7 8 9 10 11 12}
    set chosen {}
    while {[llength $chosen] < 3} {
        set place [hearts::random [llength $left]]
        lappend chosen [lindex $left $place]
        set left [lreplace $left $place $place]
    }
    return $chosen ;# ignored when nothing is passed
}

proc play_trick {trick_number trick_leader your_hand cards_played} {
    set led [lindex $cards_played $trick_leader]
    set legal [hearts::legal_indices $your_hand $trick_number $led $::points_played]
    return [lindex $legal [hearts::random [llength $legal]]]
}

proc trick_results {last_trick trick_winner} {
    foreach card $last_trick {
        set ::points_played [expr {$::points_played || [hearts::is_point $card]}]
    }
}

proc hand_results {points_this_hand cum_points} {
}

# Do not change this.
hearts::run
