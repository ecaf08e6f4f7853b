def choose(hand)
  hnad.first
end

puts choose(["c2"])
