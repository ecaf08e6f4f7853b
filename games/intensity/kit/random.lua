-- random.lua - an Intensity player that follows the rules and otherwise plays at random. It loses to any reasonable player:
-- make it a little better, again and again.

package.path = arg[0]:gsub("[^/\\]*$", "?.lua;") .. package.path -- finds intensity_kit.lua beside this file
local kit = require "intensity_kit"

local player = {}

function player.player_name()
  return "Random in Lua"
end

function player.choose_discards(hand)
  local chosen = {}
  for count = 1, 3 do
    chosen[count] = table.remove(hand, math.random(#hand))
  end
  return chosen
end

function player.choose_card(question)
  local legal = question:legal()
  return legal[math.random(#legal)]
end

function player.run_unit_tests()
  print("no tests")
end

-- Do not change this.
kit.run(player)
