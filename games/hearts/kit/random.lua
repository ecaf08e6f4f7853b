-- random.lua - a contestant that follows the rules and otherwise passes and plays at random. It loses to any reasonable player:
-- make it a little better, again and again.

package.path = arg[0]:gsub("[^/\\]*$", "?.lua;") .. package.path -- finds mactech98.lua beside this file
local hearts = require "mactech98"

local player = {}

local points_played = false -- a heart or the queen of spades was played on an earlier trick of this hand

function player.init_tournament(num_players, game_ending_score)
end

function player.init_game(player_ids, your_seat)
end

function player.select_pass(dealt_hand, direction)
  points_played = false
  local left, chosen = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }, {}
  for count = 1, 3 do
    chosen[count] = table.remove(left, math.random(#left))
  end
  return chosen -- ignored when nothing is passed
end

function player.play_trick(trick_number, trick_leader, your_hand, cards_played)
  local legal = hearts.legal_indices(your_hand, trick_number, cards_played[trick_leader], points_played)
  return legal[math.random(#legal)]
end

function player.trick_results(last_trick, trick_winner)
  for seat = 0, 3 do
    points_played = points_played or hearts.is_point(last_trick[seat])
  end
end

function player.hand_results(points_this_hand, cum_points)
end

-- Do not change this.
hearts.run(player)
