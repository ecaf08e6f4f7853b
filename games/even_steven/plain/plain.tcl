# Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first.

proc value_of {card} {
    return [lsearch -exact {2 3 4 5 6 7 8 9 10 J Q K A} [string range $card 0 end-1]]
}

set hand {}
while {[gets stdin line] >= 0} {
    set word [lindex $line 0]
    if {$word eq "YOU"} {
        continue
    }
    if {[string is integer $word]} {
        set hand [lrange $line 1 end]
        continue
    }
    set chosen 0
    while {$chosen < [llength $hand] && [value_of [lindex $hand $chosen]] < [value_of $word]} {
        incr chosen
    }
    set chosen [expr {$chosen % [llength $hand]}]
    puts [lindex $hand $chosen]
    flush stdout
    set hand [lreplace $hand $chosen $chosen]
}
