local hands = {}

local function lowest(seat)
  return hands[seat][1]
end

print(lowest("north"))
