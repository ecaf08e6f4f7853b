# mactech98.tcl - talks to the referee of Hearts, so you do not have to. Do not change it: the contest runs your player with its own
# copy.
#
# You write the six routines of the Programmer's Challenge of 1998 (shell.tcl describes them):
#
#     init_tournament   init_game   select_pass   play_trick   trick_results   hand_results
#
# The last line of your file calls hearts::run. A card is its name as the referee writes it, such as QS or 10H, and "" where there
# is none. Lists of four are indexed by seat. A hand is a list of 13 cards; where a card was played there is "".
#
# Print nothing to standard output: it belongs to the referee. Debug with puts stderr; only your team can read that afterwards. Each
# millisecond of processor time that your routines use costs a point. Tcl has no clock for processor time, so this file reports
# nothing, and the referee's own clock decides: what your program uses beyond 0.03 ms for a question is yours.

namespace eval hearts {
    variable FACES {2 3 4 5 6 7 8 9 10 J Q K A}
    variable dealt {}
    variable hand {}
    variable direction none
    variable seat 0
}

# The suit of a card: S, H, D or C; "" where there is none.
proc hearts::suit {card} {
    return [string index $card end]
}

# The spot of a card: 1 (the two) ... 13 (the ace), as in 1998; 0 where there is none.
proc hearts::spot {card} {
    variable FACES
    return [expr {[lsearch -exact $FACES [string range $card 0 end-1]] + 1}]
}

# Whether a card costs points: a heart, or the queen of spades.
proc hearts::is_point {card} {
    return [expr {[suit $card] eq "H" || $card eq "QS"}]
}

# The indices of the cards that may be played now. led: the card that was led, "" when you lead; points_played: whether a point
# card was played on an earlier trick of this hand.
proc hearts::legal_indices {hand trick_number led points_played} {
    set held {}
    set follows 0
    set others 0
    for {set index 0} {$index < 13} {incr index} {
        set card [lindex $hand $index]
        if {$card ne ""} {
            lappend held $index
            set follows [expr {$follows || [suit $card] eq [suit $led]}]
            set others [expr {$others || ![is_point $card]}]
        }
    }
    set legal {}
    foreach index $held {
        set card [lindex $hand $index]
        if {$led ne ""} {
            set allowed [expr {[suit $card] eq [suit $led] || !$follows}]
        } elseif {$trick_number == 0} {
            set allowed [expr {$card eq "2C"}]
        } else {
            set allowed [expr {[suit $card] ne "H" || $points_played || !$others}]
        }
        if {$allowed} {
            lappend legal $index
        }
    }
    return $legal
}

# Any of 0 ... n - 1: different in every run, unless the environment variable MACTECH98_SEED holds a number.
proc hearts::random {n} {
    return [expr {int(rand() * $n)}]
}

if {[info exists env(MACTECH98_SEED)]} {
    expr {srand($env(MACTECH98_SEED))}
} else {
    expr {srand([clock clicks] ^ ([pid] << 16))}
}

proc hearts::answer {text} {
    puts $text
    flush stdout
}

proc hearts::hear {kind words} {
    variable dealt
    variable hand
    variable direction
    variable seat
    switch -- $kind {
        hello { answer ready }
        tournament { ::init_tournament {*}$words }
        game {
            set seat [lindex $words 4]
            ::init_game [lrange $words 0 3] $seat
        }
        hand {
            set dealt [lassign $words direction]
            set hand $dealt
            if {$direction eq "none"} {
                ::select_pass $dealt none
            }
        }
        pass { answer [join [::select_pass $dealt $direction]] }
        received {
            foreach {index card} $words {
                lset hand $index $card
            }
        }
        play { play {*}$words }
        trick {
            set cards [lrange $words 0 3]
            lset hand [lsearch -exact $hand [lindex $cards $seat]] ""
            ::trick_results $cards [lindex $words 4]
        }
        score { ::hand_results [lrange $words 0 3] [lrange $words 4 7] }
        end { answer done }
    }
}

proc hearts::play {number leader args} {
    variable hand
    set played {{} {} {} {}}
    foreach card $args {
        lset played [expr {$leader % 4}] $card
        incr leader
    }
    answer [::play_trick $number [expr {($leader - [llength $args]) % 4}] $hand $played]
}

# Play until there is nothing more to read.
proc hearts::run {} {
    while {[gets stdin line] >= 0} {
        set words [lassign [regexp -all -inline {\S+} $line] kind]
        hear $kind $words
    }
}
