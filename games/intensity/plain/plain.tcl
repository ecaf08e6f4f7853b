# Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be played.
set numbers [lassign [regexp -all -inline {\d+} [read stdin]] what]
if {$what == 0} {
    puts "Plain Tcl"
} elseif {$what == 1} {
    puts [lrange $numbers 0 2]
} elseif {$what == 2} {
    set cards [lassign $numbers held laid position]
    set hand [lrange $cards 0 $held-1]
    set first [expr {$laid ? [lindex $cards $held] / 10 : 0}]
    set calves 0
    foreach card [lrange $cards $held+$laid [expr {$held + $laid + 4 * (10 - $held) - 1}]] {
        set calves [expr {$calves || $card / 10 == 3}]
    }
    set may {}
    foreach card $hand {
        if {$first ? $card / 10 == $first : $calves || $card / 10 != 3} {
            lappend may $card
        }
    }
    puts [lindex [concat $may $hand] 0]
}
