proc choose {hand} {
    if {[llength $hand] > 0} {
        return [lindex $hand 0]
}

puts [choose {c2}]
