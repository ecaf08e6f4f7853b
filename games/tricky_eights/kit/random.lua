-- random.lua - a contestant that follows the rules and otherwise takes and plays at random. It loses to any reasonable player:
-- make it a little better, again and again.

package.path = arg[0]:gsub("[^/\\]*$", "?.lua;") .. package.path -- finds acm98.lua beside this file
local acm98 = require "acm98"
local GAME = acm98.GAME

local function start_game() end

local function start_round() end

local function take_card()
  return GAME.pool[1 + acm98.random_int(#GAME.pool)]
end

local function end_takes() end

local function play_card()
  local legal = acm98.legal_cards()
  return legal[1 + acm98.random_int(#legal)]
end

local function end_round() end

-- Do not change this.
acm98.run {
  start_game = start_game, start_round = start_round, take_card = take_card,
  end_takes = end_takes, play_card = play_card, end_round = end_round,
}
