# Speaks the protocol of Hearts without a kit: passes the first three cards, and plays the first that may be played.
proc choose {hand trick led} {
    set held [lsearch -all -not -exact $hand ""]
    foreach place $held {
        set card [lindex $hand $place]
        set suit [string index $card end]
        if {$led ne "" ? $suit eq [string index $led end] : $trick == 0 ? $card eq "2C" : $suit ne "H"} {
            return $place
        }
    }
    return [lindex $held 0]
}

fconfigure stdout -buffering line
set seat 0
while {[gets stdin line] >= 0} {
    set words [lassign [split $line] kind]
    switch -- $kind {
        hello - end { puts $kind }
        game { set seat [lindex $words 4] }
        hand { set hand [lrange $words 1 end] }
        pass { puts "0 1 2" }
        received { foreach {place card} $words { lset hand $place $card } }
        play { puts [choose $hand [lindex $words 0] [lindex $words 2]] }
        trick { lset hand [lsearch -exact $hand [lindex $words $seat]] "" }
    }
}
