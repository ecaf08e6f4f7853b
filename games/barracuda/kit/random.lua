-- Plays anything that the rules allow. Replace the two choices by your own.
package.path = (arg[0]:match("^.*/") or "./") .. "?.lua;" .. package.path
local barracuda = require "barracuda"

local player = {}

-- A card of the hand, or a challenge where one may be offered.
function player.choose_card(state, remaining)
    if state.can_challenge and math.random() < 0.05 then return barracuda.CHALLENGE end
    return state.hand[math.random(#state.hand)]
end

-- Whether to accept the challenge that the other player has offered.
function player.answer_challenge(state, remaining)
    return math.random() < 0.5
end

barracuda.run(player)
