# Works hard: much input, garbage, errors, the time, much output.
set size 0
set caught 0
fconfigure stdin -translation binary
while {![eof stdin]} { incr size [string length [read stdin 65536]] }
for {set i 0} {$i < 3000} {incr i} {
    set garbage [lrepeat 20 [string repeat x $i]]
    if {[catch {error "on purpose"}]} { incr caught }
}
puts stderr [clock seconds]
for {set i 0} {$i < 3000} {incr i} { puts [format %063d $i] }
puts "ok $size"
exit [expr {$caught == 3000 ? 0 : 2}]
