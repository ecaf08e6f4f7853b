# random.tcl - a contestant that follows the rules and otherwise takes and plays at random. It loses to any reasonable player:
# make it a little better, again and again.

source [file join [file dirname [info script]] acm98.tcl]

proc start_game {} {
}

proc start_round {} {
}

proc take_card {} {
    global GAME
    return [lindex $GAME(pool) [random_int [llength $GAME(pool)]]]
}

proc end_takes {} {
}

proc play_card {} {
    set legal [legal_cards]
    return [lindex $legal [random_int [llength $legal]]]
}

proc end_round {} {
}

# Do not change this.
acm98::run
