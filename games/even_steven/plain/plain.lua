-- Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first.

local function value_of(card)
  return ("23456789TJQKA"):find(#card == 3 and "T" or card:sub(1, 1))
end

local hand = {}
for line in io.lines() do
  local word, rest = line:match("(%S+)%s*(.*)")
  if word:match("^%d+$") then
    hand = {}
    for card in rest:gmatch("%S+") do
      table.insert(hand, card)
    end
  elseif word ~= "YOU" then
    local chosen = 1
    for place = #hand, 1, -1 do
      if value_of(hand[place]) >= value_of(word) then chosen = place end
    end
    print(table.remove(hand, chosen))
    io.flush()
  end
end
