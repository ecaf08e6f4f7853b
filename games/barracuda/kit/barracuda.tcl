# A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.
#
#     tclsh random.tcl HOST PORT [TOKEN]
#
# Your own file calls barracuda::run with two commands, or three; random.tcl shows how. A state is a dictionary:
#
#     hand             your cards, 1 ... 13, from high to low
#     card             the card on the table; the key is missing when there is none
#     hand_id          1 for the first hand of a game
#     game_id          unique to this game
#     your_tricks, their_tricks    taken in this hand; total_tricks: played in this hand, ties included
#     your_points, their_points    in this game; ten win it
#     can_challenge    whether you may offer a challenge now
#     in_challenge     whether a challenge was accepted: this hand decides the game
#     opponent_id      the number of the other team
#     player_number    0 if you led the game, else 1

package require Tcl 8.5

namespace eval barracuda {
    variable CHALLENGE 0 ;# what chooseCard returns instead of a card to offer a challenge
    variable WAIT 5 ;# seconds between two attempts to connect; the server refuses earlier attempts
}

# Play until the server refuses us. Never returns.
#
#     chooseCard STATE REMAINING         a card of the hand, or $barracuda::CHALLENGE where can_challenge holds
#     answerChallenge STATE REMAINING    true to accept, false to reject
#     hearResult RESULT ME               the result of a move; ME is your own player number: 0 or 1
#
# REMAINING is how many seconds are left on your clock for this whole game.
proc barracuda::run {chooseCard answerChallenge {hearResult list}} {
    variable WAIT
    if {[llength $::argv] < 2} {
        puts stderr "usage: $::argv0 HOST PORT \[TOKEN]"
        exit 1
    }
    lassign $::argv host port token
    while true {
        if {![catch {socket $host $port} server]} {
            catch {Talk $server $token $chooseCard $answerChallenge $hearResult} trouble options
            close $server
            if {[dict get $options -errorcode] ne "LOST"} {
                return -options $options $trouble
            }
        } else {
            set trouble $server
        }
        after [expr {1000 * $WAIT}] ;# at home, the end of a match ends us here
        puts stderr "no connection: $trouble; trying again"
    }
}

proc barracuda::Talk {server token chooseCard answerChallenge hearResult} {
    chan configure $server -translation binary -buffering full
    if {$token ne ""} {
        Deliver $server "{\"type\":\"login\",\"token\":\"$token\"}"
    }
    while true {
        set message [Receive $server]
        switch [dict get $message type] {
            request {
                set response [Respond $message $chooseCard $answerChallenge]
                set number [dict get $message request_id]
                Deliver $server "{\"type\":\"move\",\"request_id\":$number,\"response\":{\"type\":$response}}"
            }
            result {
                {*}$hearResult [dict get $message result] [dict get $message your_player_num]
            }
            greetings_program {
                puts stderr "connected, we are team [dict get $message team_id]"
            }
            error {
                set host [dict get $message seen_host]
                puts stderr "the server refuses us: [dict get $message message] (it sees us at $host)"
                exit 1
            }
        }
    }
}

proc barracuda::Respond {message chooseCard answerChallenge} {
    variable CHALLENGE
    set state [dict get $message state]
    set remaining [dict get $message remaining]
    if {[dict get $message request] eq "challenge_offered"} {
        return [expr {[{*}$answerChallenge $state $remaining] ? {"accept_challenge"} : {"reject_challenge"}}]
    }
    set card [{*}$chooseCard $state $remaining]
    return [expr {$card eq $CHALLENGE ? {"offer_challenge"} : "\"play_card\",\"card\":$card"}]
}

proc barracuda::Deliver {server body} {
    if {[catch {
        puts -nonewline $server [binary format Ia* [string length $body] $body]
        flush $server
    } trouble]} {
        throw LOST $trouble
    }
}

proc barracuda::Receive {server} {
    binary scan [Read $server 4] Iu size
    set text [Read $server $size]
    set at 0
    return [Value $text at]
}

proc barracuda::Read {server size} {
    if {[catch {read $server $size} data]} {
        throw LOST $data
    }
    if {[string length $data] < $size} {
        throw LOST "the server has closed it"
    }
    return $data
}

# JSON: objects are dictionaries, arrays are lists, everything else is its text.

proc barracuda::Value {text atVar} {
    upvar 1 $atVar at
    switch [Next $text at] {
        \{ {
            set found {}
            while {[More $text at \}]} {
                Next $text at
                set key [Quoted $text at]
                Next $text at
                incr at
                dict set found $key [Value $text at]
            }
        }
        \[ {
            set found {}
            while {[More $text at \]]} {
                lappend found [Value $text at]
            }
        }
        \" {
            set found [Quoted $text at]
        }
        default {
            regexp -start $at {\A[\w.+-]+} $text found
            incr at [string length $found]
        }
    }
    return $found
}

# The next character that is not a space.
proc barracuda::Next {text atVar} {
    upvar 1 $atVar at
    regexp -start $at -indices {\S} $text where
    set at [lindex $where 0]
    return [string index $text $at]
}

# Step over a bracket or a comma, and the closing bracket if it follows. Returns whether another element comes.
proc barracuda::More {text atVar closing} {
    upvar 1 $atVar at
    if {[Next $text at] ne $closing} {
        incr at
    }
    if {[Next $text at] ne $closing} {
        return true
    }
    incr at
    return false
}

proc barracuda::Quoted {text atVar} {
    upvar 1 $atVar at
    regexp -start $at {\A"((?:[^"\\]|\\.)*)"} $text whole found
    incr at [string length $whole]
    return [subst -nocommands -novariables $found]
}
