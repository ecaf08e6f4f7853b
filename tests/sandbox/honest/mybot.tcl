# What an honest bot uses of its library.
package require Tcl 8.5
fconfigure stdout -buffering line
fconfigure stdin -encoding utf-8
set seen [dict create]
while {[gets stdin line] >= 0} {
    foreach word [regexp -all -inline {\S+} $line] { dict incr seen $word }
}
expr {srand([clock clicks])}
set deck {}
for {set i 0} {$i < 52} {incr i} { lappend deck [list [expr {rand()}] $i] }
set deck [lsort -real -index 0 $deck]
if {[llength [lsort -unique -integer [lmap card $deck {lindex $card 1}]]] != 52} { exit 2 }
if {[clock format [clock seconds] -format %Y -gmt 1] < 2000 || [clock milliseconds] < 1} { exit 3 }
if {[clock format [clock seconds] -format %Y] < 2000 || [clock scan 2020-01-01 -format %Y-%m-%d] < 0} { exit 3 }
proc value {card args} { upvar #0 deck all; return [string index $card end] }
array set suits {c 0 d 1}
if {[catch {error "on purpose"} message] != 1 || [file exists weights.json] || [value dk] ne "k"} { exit 4 }
oo::class create Hand { constructor {} { my variable cards; set cards {} }; method count {} { return 0 } }
if {[[Hand new] count] != 0 || [format %.2f [expr {sqrt(2)}]] ne "1.41"} { exit 5 }
puts stderr [encoding convertto utf-8 $message]
after 1
set ready 0
after 1 { set ready 1 }
vwait ready
puts ok
