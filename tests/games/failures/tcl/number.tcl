set count ten
puts [expr {$count + 1}]
