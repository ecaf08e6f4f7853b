proc play {seat card} {
    puts $card
}

play c2
