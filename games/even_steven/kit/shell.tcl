# shell.tcl - an empty player of Even Steven, for you to fill in.
#
# Team:
# Strategy in one line:
#
# Read steven.tcl: it describes its variables and the helper routines. This shell plays the first card of its hand, whatever
# was dealt. Write choose_card, then try it:
#
#     printf '4 876390176\n4 653723903\n' | python3 kibitz.pyz dealer shell.tcl

source [file join [file dirname [info script]] steven.tcl]

# Return the card of your hand that you play on $steven::open: one of $steven::hand. If none of them covers it, the game is
# lost; play one all the same. Not all games can be won.
proc choose_card {} {
    return [lindex $steven::hand 0]
}

while {[steven::next_card]} {
    set card [choose_card]
    steven::debug "game $steven::number: $steven::open is dealt, I play $card"
    steven::play $card
}
