# probe.tcl - plays the commented game of 1998 as south did, and prints GAME and the helpers' results. Then it scribbles.

source [file join [file dirname [info script]] acm98.tcl]

set takes [lmap name {h5 ck ha} {card_from_name $name}]
set plays [lmap name {dk h9 ca h2 s8 sq h4 hj c7 st h5 ck ha} {card_from_name $name}]
set places [list $HIDDEN $POOL $HELD $TABLE $PLAYED]

proc shift {list} {
    upvar #0 $list values
    set first [lindex $values 0]
    set values [lrange $values 1 end]
    return $first
}

proc scribble {} {
    foreach name [array names ::GAME] {
        set ::GAME($name) 99
    }
}

proc start_game {} {
    puts stderr "game [llength $::GAME(hand)]"
    scribble
}

proc start_round {} {
    global GAME
    puts -nonewline stderr "round $GAME(round) dealer [player_name $GAME(dealer)] me [player_name $GAME(me)] "
    puts stderr "hand [llength $GAME(hand)] pool [llength $GAME(pool)] clubs [count_suit $::CLUBS]"
    scribble
}

proc take_card {} {
    scribble
    return [shift takes]
}

proc end_takes {} {
    global GAME
    set hk [make_card $::HEARTS $::KING]
    puts -nonewline stderr "takes over hand [llength $GAME(hand)] east [card_name [lindex $GAME(take) $::EAST 0]] "
    puts stderr "where [lsearch $::places [lindex $GAME(where) $hk]] owner [player_name [lindex $GAME(owner) $hk]]"
    scribble
}

proc play_card {} {
    global GAME
    set mine [shift plays]  ;# `card` is one of the variables that `dict with` makes
    dict with GAME(trick) {
        puts -nonewline stderr "trick $GAME(trick_number) leader [player_name $leader] lie $count worth $points "
    }
    puts -nonewline stderr "legal [llength [legal_cards]] [card_name $mine] ok [is_legal $mine] "
    puts stderr "wins [would_win $mine] higher [count_higher $mine]"
    scribble
    return $mine
}

proc end_round {} {
    global GAME
    puts stderr "end $GAME(points) total $GAME(total)"
    set last [lindex $GAME(past) 12]
    puts -nonewline stderr "past [player_name [dict get $last winner]] [dict get $last points] "
    puts -nonewline stderr "out [join [lindex $GAME(is_out) $::SOUTH] ""] left [lindex $GAME(cards_left) $::WEST] "
    puts -nonewline stderr "seen [is_seen [card_from_name d2]] next [player_name [next_player $::WEST]] "
    puts stderr "worth [trick_points 13 [dict get [lindex $GAME(past) 4] card]]"
}

acm98::run
