def choose(hand)
  hand.each do |card|
    puts card
end

choose(["c2"])
