-- probe.lua - plays the commented game of 1998 as south did, and prints GAME and the helpers' results. Then it scribbles.

package.path = arg[0]:gsub("[^/\\]*$", "?.lua;") .. package.path
local acm98 = require "acm98"
local GAME, card_from_name, player_name = acm98.GAME, acm98.card_from_name, acm98.player_name

local takes, plays = {}, {}
for name in ("ha ck h5"):gmatch("%S+") do table.insert(takes, card_from_name(name)) end
for name in ("ha ck h5 st c7 hj h4 sq s8 h2 ca h9 dk"):gmatch("%S+") do table.insert(plays, card_from_name(name)) end
local PLACES = { hidden = 0, pool = 1, held = 2, table = 3, played = 4 }

local function number(word)
  if type(word) == "boolean" then return word and 1 or 0 end
  return word
end

local function burn()
  local started = os.clock()
  while os.getenv("BURN") and os.clock() < started + 0.05 do end
end

local function scribble(value)
  for name, inner in pairs(value or GAME) do
    if type(inner) == "table" then scribble(inner) end
    if value then value[name] = nil else GAME[name] = 99 end
  end
end

local functions = {}

function functions.start_game()
  acm98.debug("game", #GAME.hand)
  scribble()
end

function functions.start_round()
  burn()
  acm98.debug("round", GAME.round, "dealer", player_name(GAME.dealer), "me", player_name(GAME.me), "hand", #GAME.hand,
    "pool", #GAME.pool, "clubs", acm98.count_suit(acm98.CLUBS))
  scribble()
end

function functions.take_card()
  scribble()
  return table.remove(takes)
end

function functions.end_takes()
  local hk = acm98.make_card(acm98.HEARTS, acm98.KING)
  acm98.debug("takes over hand", #GAME.hand, "east", acm98.card_name(GAME.take[acm98.EAST][1]), "where",
    PLACES[GAME.where[hk]], "owner", player_name(GAME.owner[hk]))
  scribble()
end

function functions.play_card()
  burn()
  local card = table.remove(plays)
  acm98.debug("trick", GAME.trick_number, "leader", player_name(GAME.trick.leader), "lie", GAME.trick.count, "worth",
    GAME.trick.points, "legal", #acm98.legal_cards(), acm98.card_name(card), "ok", number(acm98.is_legal(card)), "wins",
    number(acm98.would_win(card)), "higher", acm98.count_higher(card))
  scribble()
  return card
end

function functions.end_round()
  local points, total, out = GAME.points, GAME.total, GAME.is_out[acm98.SOUTH]
  acm98.debug("end", points[0], points[1], points[2], points[3], "total", total[0], total[1], total[2], total[3])
  acm98.debug("past", player_name(GAME.past[13].winner), GAME.past[13].points, "out",
    number(out[0]) .. number(out[1]) .. number(out[2]) .. number(out[3]), "left", GAME.cards_left[acm98.WEST], "seen",
    number(acm98.is_seen(card_from_name("d2"))), "next", player_name(acm98.next_player(acm98.WEST)), "worth",
    acm98.trick_points(13, GAME.past[5].card))
end

acm98.run(functions)
