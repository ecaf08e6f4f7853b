# intensity_kit.tcl - what your Intensity player may use, and the part that reads the question. Do not change it: the contest
# puts its own copy beside your file.
#
# You write four procedures (shell.tcl describes them):
#
#     player_name   choose_discards   choose_card   run_unit_tests
#
# The last line of your file calls intensity::run, which reads the question, calls the one that is wanted, and prints what it
# returns. Your program is started again for every question: nothing is left of the question before.
#
# Print nothing to standard output: it belongs to the answer. Debug with puts stderr; only your team can read that afterwards.

namespace eval intensity {
    variable BUFFALO 47 ;# cards are numbers, 10 ... 49
}

proc intensity::is_calf {card} {
    return [expr {$card >= 30 && $card <= 39}]
}

# What a card costs the player who wins its round.
proc intensity::penalty {card} {
    variable BUFFALO
    return [expr {$card == $BUFFALO ? 7 : [is_calf $card]}]
}

# Who wins a round: a list of pairs {position card} in the order of play.
proc intensity::winner {round} {
    lassign [lindex $round 0] winner best
    foreach play $round {
        lassign $play position card
        if {$card / 10 == $best / 10 && $card > $best} {
            lassign $play winner best
        }
    }
    return $winner
}

proc intensity::in_turn {first cards} {
    set plays {}
    foreach card $cards {
        lappend plays [list [expr {$first % 4}] $card]
        incr first
    }
    return $plays
}

# A question is a dictionary of everything you know when a card is due. Lists are in the order of play, hands and discards in
# increasing order.
#
#     position    your place at the table, 0 ... 3
#     hand
#     table       the cards of this round so far; empty: you lead
#     played      the cards of all rounds before
#     discarded   what you gave to the player on your left, (position + 1) % 4
#     received    what you got from the player on your right

# Whether a calf was played in an earlier round, so that calves may be led.
proc intensity::calf_played {question} {
    foreach card [dict get $question played] {
        if {[is_calf $card]} {
            return 1
        }
    }
    return 0
}

# The cards that you may play, in increasing order.
proc intensity::legal {question} {
    set first [lindex [dict get $question table] 0]
    set calves [calf_played $question]
    set found {}
    foreach card [dict get $question hand] {
        if {$first eq "" ? $calves || ![is_calf $card] : $card / 10 == $first / 10} {
            lappend found $card
        }
    }
    return [expr {[llength $found] ? $found : [dict get $question hand]}]
}

# The rounds before this one, each a list of pairs {position card} in the order of play.
proc intensity::rounds {question} {
    set found {}
    set leader 0
    set played [dict get $question played]
    for {set start 0} {$start < [llength $played]} {incr start 4} {
        set round [in_turn $leader [lrange $played $start [expr {$start + 3}]]]
        lappend found $round
        set leader [winner $round]
    }
    return $found
}

# The cards of this round so far, as pairs {position card}.
proc intensity::on_the_table {question} {
    set table [dict get $question table]
    return [in_turn [expr {[dict get $question position] + 4 - [llength $table]}] $table]
}

# Any of 0 ... n - 1: different in every run, unless the environment variable INTENSITY_SEED holds a number.
proc intensity::random {n} {
    return [expr {int(rand() * $n)}]
}

if {[info exists env(INTENSITY_SEED)]} {
    expr {srand($env(INTENSITY_SEED))}
} else {
    expr {srand([clock clicks] ^ ([pid] << 16))}
}

# Answer the question on standard input.
proc intensity::run {} {
    set numbers [lassign [regexp -all -inline {\d+} [read stdin]] what]
    if {$what == 0} {
        puts [::player_name]
    } elseif {$what == 1} {
        puts [join [::choose_discards $numbers]]
    } elseif {$what == 2} {
        set numbers [lassign $numbers held lying position]
        set question [dict create position $position]
        foreach {name size} [list hand $held table $lying played [expr {4 * (10 - $held)}] discarded 3 received 3] {
            dict set question $name [lrange $numbers 0 [expr {$size - 1}]]
            set numbers [lrange $numbers $size end]
        }
        puts [::choose_card $question]
    } else {
        ::run_unit_tests
    }
}
