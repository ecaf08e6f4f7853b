local hand, pool

local function drop(cards, card)
    for place, it in ipairs(cards) do
        if it == card then return table.remove(cards, place) end
    end
end

local function say(text)
    io.write(text, "\n")
    io.flush()
end

for line in io.lines() do
    local words = {}
    for word in line:gmatch("%S+") do words[#words + 1] = word end
    local kind = words[1]
    if kind == "starthand" then
        hand, pool = table.move(words, 3, 12, 1, {}), table.move(words, 13, #words, 1, {})
    elseif kind == "take" or kind == "aftertake" then
        for place = 3, #words, 2 do drop(pool, words[place]) end
        if kind == "take" then
            hand[#hand + 1] = table.remove(pool, 1)
            say(hand[#hand])
        end
    elseif kind == "play" then
        local card = hand[1]
        for _, it in ipairs(hand) do
            if words[3] and it:sub(1, 1) == words[3]:sub(1, 1) then card = it end
        end
        say(drop(hand, card))
    elseif kind ~= "result" and kind ~= "endround" then
        say("got " .. line)
    end
end
