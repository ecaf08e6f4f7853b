hands = {}

puts hands["north"].first
