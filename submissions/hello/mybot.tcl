proc without {cards shown} {
    set rest {}
    foreach card $cards {
        if {$card ni $shown} {lappend rest $card}
    }
    return $rest
}

proc say {text} {
    puts $text
    flush stdout
}

while {[gets stdin line] >= 0} {
    set words [lassign [split $line] kind]
    switch $kind {
        starthand {
            set hand [lrange $words 1 10]
            set pool [lrange $words 11 end]
        }
        take {
            set pool [lassign [without $pool $words] card]
            lappend hand $card
            say $card
        }
        aftertake {set pool [without $pool $words]}
        play {
            set card [lindex $hand 0]
            foreach mine $hand {
                if {[llength $words] > 1 && [string index $mine 0] eq [string index [lindex $words 1] 0]} {set card $mine}
            }
            set hand [without $hand [list $card]]
            say $card
        }
        result - endround {}
        default {say "got $line"}
    }
}
