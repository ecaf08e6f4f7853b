-- An empty player: your strategy goes here. As it stands it plays its highest card and rejects every challenge.
package.path = (arg[0]:match("^.*/") or "./") .. "?.lua;" .. package.path
local barracuda = require "barracuda"

local player = {}

function player.choose_card(state, remaining)
    return state.hand[1]
end

function player.answer_challenge(state, remaining)
    return false
end

-- Such as {type = "trick_won", by = 1, card = 13}; `by` is `me` when it was you.
function player.hear_result(result, me)
end

barracuda.run(player)
