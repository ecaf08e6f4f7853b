# Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first.

VALUES = %w[2 3 4 5 6 7 8 9 10 J Q K A].freeze
$stdout.sync = true
hand = []
while (line = gets)
  word, *more = line.split
  case word
  when "YOU" then next
  when /\A\d+\z/ then hand = more
  else
    least = VALUES.index(word.chop)
    puts hand.delete_at(hand.index { |card| VALUES.index(card.chop) >= least } || 0)
  end
end
