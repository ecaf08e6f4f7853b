# Speaks the protocol of Hearts without a kit: passes the first three cards, and plays the first that may be played.
$stdout.sync = true
hand = []
seat = 0
while (line = $stdin.gets)
  kind, *words = line.split
  case kind
  when "hello", "end" then puts kind
  when "game" then seat = words[4].to_i
  when "hand" then hand = words.drop(1)
  when "pass" then puts "0 1 2"
  when "received" then words.each_slice(2) { |place, card| hand[place.to_i] = card }
  when "play"
    trick, _, led = words
    held = hand.each_index.select { |place| hand[place] }
    found = held.find do |place|
      card = hand[place]
      next card[-1] == led[-1] if led

      trick == "0" ? card == "2C" : card[-1] != "H"
    end
    puts found || held[0]
  when "trick" then hand.map! { |card| card unless card == words[seat] }
  end
end
