proc choose {hand} {
    return [lindex $hnad 0]
}

puts [choose {c2 c3}]
