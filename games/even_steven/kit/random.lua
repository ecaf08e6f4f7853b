-- random.lua - plays any card of its hand, whether it covers or not. It loses most games that could be won, so improve it.

package.path = arg[0]:gsub("[^/\\]*$", "?.lua;") .. package.path -- finds steven.lua beside this file
local steven = require "steven"

local game = steven.start_games()
while game:next_card() do
  local card = game.hand[math.random(#game.hand)]
  steven.debug(game.open, "is dealt, I play", card)
  game:play(card)
end
