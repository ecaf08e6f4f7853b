-- shell.lua - an empty Intensity player, for you to fill in.
--
-- Author:
-- Strategy in one line:
--
-- Read intensity_kit.lua first: it describes the question. This shell plays the first card that is allowed, so it follows the
-- rules from the start. Change one thing at a time, and play a few games after every change.

package.path = arg[0]:gsub("[^/\\]*$", "?.lua;") .. package.path -- finds intensity_kit.lua beside this file
local kit = require "intensity_kit"

local player = {}

-- At most 32 characters.
function player.player_name()
  return "COMP1511 student"
end

-- The three cards of your hand (ten numbers, in increasing order) that go to the player on your left.
function player.choose_discards(hand)
  return { hand[1], hand[2], hand[3] }
end

-- The card that you play: intensity_kit.lua describes the question.
function player.choose_card(question)
  return question:legal()[1]
end

-- The contest runs this when it checks your program, and shows you what it prints.
function player.run_unit_tests()
  local sample = kit.new_question {
    hand = { 11, 15, 18, 23, 33, 34, 47, 48, 49 },
    table = { 24, 26 },
    played = { 16, 13, 19, 12 },
  }
  assert(table.concat(sample:legal(), " ") == "23")
  assert(player.choose_card(sample) == 23)
  print("all tests passed")
end

-- Do not change this.
kit.run(player)
