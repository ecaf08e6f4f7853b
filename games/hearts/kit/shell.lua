-- shell.lua - an empty contestant for Hearts, for you to fill in.
--
-- Team:
-- Strategy in one line:
--
-- Read mactech98.lua first: it says what the six routines get and return. This shell passes its first three cards and plays the
-- first card that is allowed, so it follows the rules from the start. Change one thing at a time, and play a few games after
-- every change.
--
-- Your program stays alive for a whole match of many games, so variables of your own keep their values from one call to the
-- next. Every millisecond of processor time in your routines costs a point.

package.path = arg[0]:gsub("[^/\\]*$", "?.lua;") .. package.path -- finds mactech98.lua beside this file
local hearts = require "mactech98"

local player = {}

local me = 0 -- our seat
local points_played = false -- a heart or the queen of spades was played on an earlier trick of this hand

-- Called once, before anything else. A game is over after the hand in which somebody has game_ending_score points.
function player.init_tournament(num_players, game_ending_score)
end

-- Called before each game. The same number in player_ids is the same player throughout the tournament. Player i + 1 (modulo 4)
-- sits to the left of player i.
function player.init_game(player_ids, your_seat)
  me = your_seat
end

-- Called at the beginning of every hand. Return a list of three different indices of dealt_hand (0 ... 12). With NO_PASS nothing
-- is passed, and what you return is ignored.
function player.select_pass(dealt_hand, direction)
  points_played = false
  return { 0, 1, 2 }
end

-- Called 13 times a hand. Return the index of the card that you play. your_hand has NO_CARD where cards were played, and the cards
-- that were passed to you in the places of those that you passed. cards_played is indexed by seat, with NO_CARD where nobody has
-- played yet: cards_played[trick_leader] was led, unless you lead.
function player.play_trick(trick_number, trick_leader, your_hand, cards_played)
  return hearts.legal_indices(your_hand, trick_number, cards_played[trick_leader], points_played)[1]
end

-- Called after each trick: what everybody played, by seat, and who took it.
function player.trick_results(last_trick, trick_winner)
  for seat = 0, 3 do
    points_played = points_played or hearts.is_point(last_trick[seat])
  end
end

-- Called after each hand. A player who has shot the moon gets -26 points.
function player.hand_results(points_this_hand, cum_points)
  io.stderr:write("my points: ", points_this_hand[me], ", now ", cum_points[me], " in all\n")
end

-- Do not change this.
hearts.run(player)
