local function play(card)
  error("cannot play " .. card)
end

play("c2")
