# random.tcl - plays any card of its hand, whether it covers or not. It loses most games that could be won, so improve it.

source [file join [file dirname [info script]] steven.tcl]

while {[steven::next_card]} {
    set card [lindex $steven::hand [steven::random [llength $steven::hand]]]
    steven::debug "$steven::open is dealt, I play $card"
    steven::play $card
}
