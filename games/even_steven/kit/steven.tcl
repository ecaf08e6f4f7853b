# steven.tcl - talks to the dealer of Even Steven for you. Do not change it: the portal has its own.
#
#     source [file join [file dirname [info script]] steven.tcl]
#
#     while {[steven::next_card]} {
#         steven::play [lindex $steven::hand 0]
#     }
#
# next_card reads until a card must be covered, and returns 0 when all games are over. You then play a card of $steven::hand.
# All of this is optional: a program that reads and writes the lines of rules.md itself is just as good.

namespace eval steven {
    # What you know of the game in progress. A card is its name as the dealer writes it, such as 10c.
    variable number 0   ;# of this game: 1, 2, 3, ...
    variable size 0     ;# cards that you were dealt, and that you must cover
    variable hand {}    ;# the cards that you still hold, in the order of the deal
    variable open {}    ;# the card that you must cover now
    variable past {}    ;# all cards dealt so far, in order; the last is the open one
    variable played {}  ;# what you played on them
    variable won 0      ;# games so far
    variable lost 0

    variable values {2 3 4 5 6 7 8 9 10 J Q K A}
}

# The value of a card, 2 ... 14: jack 11, queen 12, king 13, ace 14.
proc steven::value {card} {
    variable values
    return [expr {[lsearch -exact $values [string range $card 0 end-1]] + 2}]
}

# Its suit: c, d, h or s. It has no effect on anything.
proc steven::suit {card} {
    return [string index $card end]
}

# Whether a card of yours may lie on that dealt card.
proc steven::covers {mine dealt} {
    return [expr {[value $mine] >= [value $dealt]}]
}

# Any of 0 ... n - 1. To repeat a run exactly, set the environment variable STEVEN_SEED to a number.
proc steven::random {n} {
    return [expr {int(rand() * $n)}]
}

if {[info exists env(STEVEN_SEED)]} {
    expr {srand($env(STEVEN_SEED))}
} else {
    expr {srand([clock clicks] ^ ([pid] << 16))}
}

proc steven::is_card {word} {
    return [regexp {^(10|[2-9JQKA])[cdhs]$} $word]
}

# Waits until a card must be covered: $steven::open. Returns 0 when all games are over: end your program then.
proc steven::next_card {} {
    variable open
    variable past
    while {[gets stdin line] >= 0} {
        set words [regexp -all -inline {\S+} $line]
        set word [lindex $words 0]
        if {$word eq "YOU"} {
            count [lindex $words 1]
        } elseif {[regexp {^[0-9]+$} $word]} {
            deal $word [lrange $words 1 end]
        } elseif {[is_card $word]} {
            set open $word
            lappend past $word
            return 1
        }
    }
    return 0
}

proc steven::count {result} {
    variable won
    variable lost
    if {$result eq "WIN"} {
        incr won
    } elseif {$result eq "LOSE"} {
        incr lost
    }
}

proc steven::deal {many words} {
    variable number
    variable size
    variable hand {}
    variable past {}
    variable played {}
    incr number
    set size $many
    foreach word $words {
        if {[is_card $word]} {
            lappend hand $word
        }
    }
}

# Plays this card on the open one.
proc steven::play {card} {
    variable hand
    variable played
    set place [lsearch -exact $hand $card]
    if {$place < 0} {
        puts stderr "steven: \"$card\" is not in your hand"
    } else {
        set hand [lreplace $hand $place $place]
    }
    lappend played $card
    puts $card
    flush stdout
}

# Writes a line for debugging, as puts would: the dealer prints it after a `*`. In the contest, where the program is
# started without an argument, nothing is written.
proc steven::debug {line} {
    if {$::argc > 0} {
        puts "* $line"
        flush stdout
    }
}
