# random.tcl - an Intensity player that follows the rules and otherwise plays at random. It loses to any reasonable player:
# make it a little better, again and again.

source [file join [file dirname [info script]] intensity_kit.tcl]

proc player_name {} {
    return "Random in Tcl"
}

proc choose_discards {hand} {
    set chosen {}
    while {[llength $chosen] < 3} {
        set place [intensity::random [llength $hand]]
        lappend chosen [lindex $hand $place]
        set hand [lreplace $hand $place $place]
    }
    return $chosen
}

proc choose_card {question} {
    set legal [intensity::legal $question]
    return [lindex $legal [intensity::random [llength $legal]]]
}

proc run_unit_tests {} {
    puts "no tests"
}

# Do not change this.
intensity::run
