# An empty player: your strategy goes here. As it stands it plays its highest card and rejects every challenge.
source [file join [file dirname [info script]] barracuda.tcl]

proc chooseCard {state remaining} {
    return [lindex [dict get $state hand] 0]
}

proc answerChallenge {state remaining} {
    return false
}

# Such as {type trick_won by 1 card 13}; `by` is $me when it was you.
proc hearResult {result me} {
}

barracuda::run chooseCard answerChallenge hearResult
