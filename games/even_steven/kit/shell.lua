-- shell.lua - an empty player of Even Steven, for you to fill in.
--
-- Team:
-- Strategy in one line:
--
-- Read steven.lua: it describes the fields of cards and of the game, and the helper routines. This shell plays the first
-- card of its hand, whatever was dealt. Write choose_card, then try it:
--
--     printf '4 876390176\n4 653723903\n' | python3 kibitz.pyz dealer shell.lua

package.path = arg[0]:gsub("[^/\\]*$", "?.lua;") .. package.path -- finds steven.lua beside this file
local steven = require "steven"

-- Return the card of your hand that you play on game.open: one of game.hand. If none of them covers it, the game is lost;
-- play one all the same. Not all games can be won.
local function choose_card(game)
  return game.hand[1]
end

local game = steven.start_games()
while game:next_card() do
  local card = choose_card(game)
  steven.debug("game " .. game.number .. ":", game.open, "is dealt, I play", card)
  game:play(card)
end
