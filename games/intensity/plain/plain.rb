# Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be played.
what, *numbers = $stdin.read.split.map(&:to_i)
case what
when 0 then puts "Plain Ruby"
when 1 then puts numbers.first(3).join(" ")
when 2
  held, laid = numbers.shift(3)
  hand = numbers.shift(held)
  table = numbers.shift(laid)
  calves = numbers.first(4 * (10 - held)).any? { |card| card / 10 == 3 }
  puts hand.find { |card| table.empty? ? calves || card / 10 != 3 : card / 10 == table[0] / 10 } || hand[0]
end
