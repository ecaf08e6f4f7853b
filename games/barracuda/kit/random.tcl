# Plays anything that the rules allow. Replace the two choices by your own.
source [file join [file dirname [info script]] barracuda.tcl]

# A card of the hand, or a challenge where one may be offered.
proc chooseCard {state remaining} {
    if {[dict get $state can_challenge] && rand() < 0.05} {
        return $barracuda::CHALLENGE
    }
    set hand [dict get $state hand]
    return [lindex $hand [expr {int(rand() * [llength $hand])}]]
}

# Whether to accept the challenge that the other player has offered.
proc answerChallenge {state remaining} {
    return [expr {rand() < 0.5}]
}

barracuda::run chooseCard answerChallenge
