-- shell.lua - an empty contestant for Tricky Eights, for you to fill in.
--
-- Team:
-- Strategy in one line:
--
-- Read the first part of acm98.lua first: it describes GAME, which holds everything you know, and the helper routines. This
-- shell takes and plays the first card that is allowed, so it follows the rules from the start. Change one thing at a time, and
-- play a few games after every change.
--
-- Each of the six functions has 4 seconds. Your program stays alive for a whole game (many rounds), so variables of your own
-- outside the functions keep their values from one call to the next.

package.path = arg[0]:gsub("[^/\\]*$", "?.lua;") .. package.path -- finds acm98.lua beside this file
local acm98 = require "acm98"
local GAME = acm98.GAME

-- Called once, before anything else. Nothing is known yet. Prepare here what you need for the whole game.
local function start_game()
end

-- Called when the ten cards of your hand are dealt and the pool of twelve is face up.
-- You know GAME.me, GAME.round, GAME.dealer, GAME.hand, GAME.pool and the points of the earlier rounds in GAME.total.
-- Reset here what you noted about the last round.
local function start_round()
end

-- Called three times a round. Return the card of GAME.pool that you want to have.
-- The cards that others took are gone; GAME.take tells who took what.
local function take_card()
  return GAME.pool[1]
end

-- Called when all twelve cards of the pool are taken, before the first trick. You now hold 13 cards, and know three cards of
-- each of the others (GAME.take; or GAME.where and GAME.owner, by the card). A good moment to make a plan for the round.
local function end_takes()
end

-- Called 13 times a round. Return a card of your hand. If GAME.trick.count is 0, you lead and may play any card; otherwise you
-- must follow the suit of GAME.trick.card[GAME.trick.leader] if you can. acm98.legal_cards() gives you the choice.
local function play_card()
  return acm98.legal_cards()[1]
end

-- Called when the 13 tricks are played. GAME.points has the points of this round, GAME.total those of the game with this round
-- in it, GAME.past all the tricks. Here you might learn something about your opponents.
local function end_round()
end

-- Do not change this.
acm98.run {
  start_game = start_game, start_round = start_round, take_card = take_card,
  end_takes = end_takes, play_card = play_card, end_round = end_round,
}
