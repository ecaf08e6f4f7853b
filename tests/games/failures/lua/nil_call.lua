local function choose(hand)
  return pick(hand)
end

print(choose({ "c2" }))
