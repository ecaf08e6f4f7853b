$stdout.sync = true
hand = pool = []
while (line = gets)
  kind, *words = line.split
  case kind
  when "starthand"
    hand, pool = words[1, 10], words[11..]
  when "take"
    pool -= words
    hand << pool.shift
    puts hand.last
  when "aftertake"
    pool -= words
  when "play"
    card = hand.find { |mine| words.size > 1 && mine[0] == words[1][0] } || hand[0]
    hand.delete(card)
    puts card
  when "result", "endround"
  else
    puts "got #{line}"
  end
end
