-- acm98.lua - what your Tricky Eights contestant may use, and the part that talks to the server. Do not change it: the contest
-- puts its own copy beside your file.
--
-- You write six functions (shell.lua describes them):
--
--     start_game   start_round   take_card   end_takes   play_card   end_round
--
-- The last line of your file hands them to acm98.run, which reads what the server says, keeps acm98.GAME up to date, calls your
-- functions and sends the cards they return.
--
-- Two things to remember:
--
-- * Print nothing to standard output: it belongs to the server. Debug with acm98.debug(...); only your team can read that
--   afterwards. (`print` and `io.write` write to standard output.)
-- * GAME is for reading only. What you change in it is gone before your next function is called, and the server believes no
--   one.
--
-- Lists such as GAME.hand begin at 1, as everywhere in Lua. What has a player, a suit or a card as its index begins at 0.

local acm98 = {}

-- ---------------------------------------------------------------------------------------------------------------------
-- Players, suits, faces, cards
-- ---------------------------------------------------------------------------------------------------------------------

-- Players sit clockwise in this order. The player after p is (p + 1) % 4.
acm98.NORTH, acm98.EAST, acm98.SOUTH, acm98.WEST = 0, 1, 2, 3

acm98.CLUBS, acm98.DIAMONDS, acm98.HEARTS, acm98.SPADES = 0, 1, 2, 3

-- Faces are 2 ... 14. The cards between are simply 2 ... 10.
acm98.JACK, acm98.QUEEN, acm98.KING, acm98.ACE = 11, 12, 13, 14

-- A card is a number 0 ... 51: first the clubs from 2 to ace (0 ... 12), then the diamonds, the hearts and the spades. suit,
-- face and make_card take it apart and put it together.

-- CLUBS ... SPADES.
local function suit(card) return card // 13 end

-- 2 ... ACE.
local function face(card) return card % 13 + 2 end

-- make_card(HEARTS, 8) is the eight of hearts.
function acm98.make_card(suit, face) return suit * 13 + face - 2 end

acm98.suit, acm98.face = suit, face

local NAMES, CARDS = {}, {}
for letter in ("cdhs"):gmatch(".") do
  for value in ("23456789tjqka"):gmatch(".") do
    local card = next(CARDS) and #NAMES + 1 or 0
    NAMES[card], CARDS[letter .. value] = letter .. value, card
  end
end
local PLAYERS = { n = 0, e = 1, s = 2, w = 3 }
local PLAYER_NAMES = { [0] = "north", "east", "south", "west" }

-- The name of a card as the server writes it, such as "dk".
local function card_name(card) return NAMES[card] or "??" end
acm98.card_name = card_name

-- The inverse: card_from_name("dk"). nil if it is not a card.
function acm98.card_from_name(name) return CARDS[name] end

function acm98.player_name(player) return PLAYER_NAMES[player] or "nobody" end

-- ---------------------------------------------------------------------------------------------------------------------
-- GAME
-- ---------------------------------------------------------------------------------------------------------------------

-- Where a card is, as far as you can know: GAME.where[card].
acm98.HIDDEN = "hidden" -- dealt to one of the other players, you do not know to whom
acm98.POOL = "pool" -- face up in the pool, may still be taken
acm98.HELD = "held" -- in the hand of player GAME.owner[card]: yours, or taken from the pool where everybody saw it
acm98.TABLE = "table" -- on the table, in the current trick
acm98.PLAYED = "played" -- went with an earlier trick

-- A table from 0 to `last` with the same value everywhere. `make` makes the value where it is a function.
local function filled(last, make)
  local list = {}
  for place = 0, last do
    if type(make) == "function" then list[place] = make() else list[place] = make end
  end
  return list
end

-- One trick, finished or not.
local function new_trick(leader, points)
  return {
    leader = leader, -- who played the first card
    count = 0, -- how many cards it has, 0 ... 4
    card = {}, -- card[p]: what player p played, or nil. The index is the player, not the order.
    winner = nil, -- who wins it as it stands (nil while it is empty)
    points = points, -- what it is worth as it stands: 1 (first and last trick 3) and 2 for each eight
  }
end

-- Everything you know.
local function new_game(round, total)
  local dealer = (round - 1) % 4
  return {
    me = nil, -- which player you are: NORTH ... WEST
    round = round, -- number of the round, from 1
    dealer = dealer, -- dealer of this round: takes first, and leads the first trick
    total = total, -- points of all finished rounds. In end_round this round is already in it.
    points = filled(3, 0), -- points made in this round so far

    -- Your hand: the cards you hold now, in the order in which you got them. Cards you played are no longer in it.
    hand = {},

    -- The takes
    pool = {}, -- the cards left in the pool: during take_card, those you may choose from
    take = filled(3, function() return {} end), -- take[p]: what player p took so far, in that order

    -- The play
    trick_number = 0, -- number of the current trick 1 ... 13; 0 during the takes, 14 in end_round
    trick = new_trick(dealer, 1), -- the current trick: in play_card the cards that were played before you
    past = {}, -- past[1] ... past[trick_number - 1]: the finished tricks of this round

    -- What you know of every card and every player: a card counter's table, kept for you
    where = filled(51, acm98.HIDDEN), -- HIDDEN, POOL, HELD, TABLE or PLAYED
    owner = {}, -- who holds, played or took that card; nil for a card that is HIDDEN or in the POOL
    cards_left = filled(3, 10), -- how many cards player p holds
    is_out = filled(3, function() return filled(3, false) end), -- is_out[p][suit]: p has none left, as it did not follow
  }
end

local truth = new_game(0, filled(3, 0)) -- what the server told us
local GAME = {} -- becomes a copy of it before each of your functions is called
acm98.GAME = GAME

-- ---------------------------------------------------------------------------------------------------------------------
-- Helper routines. None of them changes anything.
-- ---------------------------------------------------------------------------------------------------------------------

local function filter(list, keeps)
  local kept = {}
  for _, card in ipairs(list) do
    if keeps(card) then kept[#kept + 1] = card end
  end
  return kept
end

local function contains(list, wanted)
  return #filter(list, function(card) return card == wanted end) > 0
end

local function all() return true end

local function choices(game)
  if game.trick_number == 0 then return filter(game.pool, all) end
  if game.trick.count == 0 then return filter(game.hand, all) end
  local led = suit(game.trick.card[game.trick.leader])
  local following = filter(game.hand, function(card) return suit(card) == led end)
  return #following > 0 and following or filter(game.hand, all)
end

local function beats(trick, card)
  if not trick.winner then return true end
  local best = trick.card[trick.winner]
  return suit(card) == suit(best) and card > best
end

-- The cards you may play now: those of the suit led, if you have any, or else your whole hand. During the takes: the pool.
function acm98.legal_cards() return choices(GAME) end

-- Whether you may play (during the takes: take) this card now.
function acm98.is_legal(card) return contains(choices(GAME), card) end

-- Whether this card would be the winning one of the current trick if you played it now.
function acm98.would_win(card) return beats(GAME.trick, card) end

-- How many cards of a suit you hold.
function acm98.count_suit(wanted)
  return #filter(GAME.hand, function(card) return suit(card) == wanted end)
end

-- How many cards that beat this one (same suit, higher) may still come from the other players: those that are not yours, not
-- played and not on the table. 0: nobody can beat it any more, if its suit is led.
function acm98.count_higher(card)
  local count = 0
  for other = card + 1, suit(card) * 13 + 12 do
    local where = GAME.where[other]
    if where ~= acm98.PLAYED and where ~= acm98.TABLE and GAME.owner[other] ~= GAME.me then count = count + 1 end
  end
  return count
end

-- Whether you know where this card is: it was played, is face up, was taken by somebody, or is yours.
function acm98.is_seen(card) return GAME.where[card] ~= acm98.HIDDEN end

-- What trick 1 ... 13 with these cards (a trick's `card`) is worth: 1, or 3 for the first and the last, and 2 for each eight.
function acm98.trick_points(number, cards)
  local points = (number == 1 or number == 13) and 3 or 1
  for _, card in pairs(cards) do
    if face(card) == 8 then points = points + 2 end
  end
  return points
end

function acm98.next_player(player) return (player + 1) % 4 end

-- A random number 0 ... n - 1, evenly distributed. Different in every run, unless the environment variable ACM98_SEED holds a
-- number (to debug: the same number gives the same random numbers; it is not set in the contest).
function acm98.random_int(n) return math.random(0, n - 1) end

local seed = tonumber(os.getenv("ACM98_SEED") or "")
if seed then math.randomseed(math.floor(seed)) end

-- Writes a line to standard error, as print would to standard output.
function acm98.debug(...)
  local words = {}
  for _, word in ipairs { ... } do
    words[#words + 1] = tostring(word)
  end
  io.stderr:write(table.concat(words, " "), "\n")
end

-- ---------------------------------------------------------------------------------------------------------------------
-- You need not read beyond this line.
-- ---------------------------------------------------------------------------------------------------------------------

local function copy(value)
  if type(value) ~= "table" then return value end
  local copied = {}
  for name, inner in pairs(value) do
    copied[name] = copy(inner)
  end
  return copied
end

local function show()
  for name in pairs(GAME) do
    GAME[name] = nil
  end
  for name, value in pairs(truth) do
    GAME[name] = copy(value)
  end
end
show()

local FUNCTIONS = {
  { "start_game", "StartGame" }, { "start_round", "StartRound" }, { "take_card", "TakeCard" },
  { "end_takes", "EndTakes" }, { "play_card", "PlayCard" }, { "end_round", "EndRound" },
}
local contestant
local used = {} -- seconds of processor time since our last answer, by the function
local takes_ended, round_ended = false, true

local function call(name)
  show()
  local started = os.clock()
  local card = contestant[name]()
  used[name] = (used[name] or 0) + os.clock() - started
  return card
end

local function answer(name, card)
  if not NAMES[card] then
    acm98.debug("acm98: " .. name .. " returned " .. tostring(card) .. ", a " .. type(card) .. ": a card is a number 0 ... 51")
  elseif not contains(choices(truth), card) then
    local why = contains(truth.hand, card) and "does not follow suit" or "is not in your hand"
    if name == "take_card" then why = "is not in the pool" end
    acm98.debug("acm98: " .. name .. " returned " .. card_name(card) .. ", which " .. why)
  end
  local report = ""
  for _, each in ipairs(FUNCTIONS) do
    local ms = math.floor(1000 * (used[each[1]] or 0))
    if ms >= 10 then report = report .. " " .. each[2] .. " " .. ms end
  end
  used = {}
  io.write(card_name(card), report ~= "" and " cpu" or "", report, "\n")
  io.flush()
end

-- Words are separated by blanks and line ends. Lines may have any length.
local next_word = coroutine.wrap(function()
  for line in io.lines() do
    for word in line:gmatch("%S+") do
      coroutine.yield(word)
    end
  end
  while true do
    coroutine.yield(nil)
  end
end)

local function read_word()
  return next_word() or os.exit(0) -- the input ended in the middle of a line
end

local function read_card()
  local word = read_word()
  if not CARDS[word] then acm98.debug('acm98: "' .. word .. '" is not a card') end
  return CARDS[word]
end

local function read_player()
  local word = read_word()
  if not PLAYERS[word] then acm98.debug('acm98: "' .. word .. '" is not a player') end
  return PLAYERS[word]
end

local function read_cards(count)
  local cards = {}
  for _ = 1, count do
    cards[#cards + 1] = read_card()
  end
  return cards
end

-- The players and cards of a question, up to our own place. Returns who was first. The commented game on paper shows our answer
-- behind it: that is then a word too many.
local function read_others(tell)
  local first = read_player()
  local player = first
  while player and player ~= truth.me do
    tell(player, read_card())
    player = read_player()
  end
  return first or truth.me
end

-- The four players and cards of a summary. Returns who was first.
local function read_four(tell)
  local first
  for place = 1, 4 do
    local player = read_player()
    if place == 1 then first = player end
    tell(player, read_card())
  end
  return first or truth.dealer
end

-- Somebody took a card from the pool. Hearing it twice (in a question, then in the summary) changes nothing.
local function tell_take(player, card)
  if not player or not contains(truth.pool, card) then return end
  truth.pool = filter(truth.pool, function(other) return other ~= card end)
  truth.where[card] = acm98.HELD
  truth.owner[card] = player
  table.insert(truth.take[player], card)
  truth.cards_left[player] = truth.cards_left[player] + 1
  if player == truth.me then table.insert(truth.hand, card) end
end

-- Somebody played a card to the current trick. Hearing it twice changes nothing.
local function tell_play(player, card)
  local trick = truth.trick
  if not player or not card or trick.card[player] then return end
  if trick.count == 0 then trick.leader = player end
  if beats(trick, card) then trick.winner = player end
  trick.card[player] = card
  trick.count = trick.count + 1
  if face(card) == 8 then trick.points = trick.points + 2 end
  local led = suit(trick.card[trick.leader])
  if suit(card) ~= led then truth.is_out[player][led] = true end
  truth.where[card] = acm98.TABLE
  truth.owner[card] = player
  truth.cards_left[player] = truth.cards_left[player] - 1
  truth.hand = filter(truth.hand, function(held) return held ~= card end)
end

local function end_takes_once()
  if takes_ended then return end
  takes_ended = true
  truth.trick_number = 1
  truth.trick = new_trick(truth.dealer, 3)
  call("end_takes")
end

local commands = {}

function commands.starthand()
  truth = new_game(truth.round + 1, truth.total)
  truth.me = read_player()
  truth.hand, truth.pool = read_cards(10), read_cards(12)
  for _, card in ipairs(truth.hand) do
    truth.where[card], truth.owner[card] = acm98.HELD, truth.me
  end
  for _, card in ipairs(truth.pool) do
    truth.where[card] = acm98.POOL
  end
  takes_ended, round_ended = false, false
  call("start_round")
end

function commands.take()
  truth.dealer = read_others(tell_take)
  answer("take_card", call("take_card"))
end

function commands.aftertake()
  truth.dealer = read_four(tell_take)
  if #truth.pool == 0 then end_takes_once() end
end

function commands.play()
  end_takes_once() -- for a person who types and left out an aftertake
  truth.trick.leader = read_others(tell_play)
  answer("play_card", call("play_card"))
end

function commands.result()
  read_four(tell_play)
  local trick = truth.trick
  if not trick.winner or truth.trick_number < 1 or truth.trick_number > 13 then return end
  for _, card in pairs(trick.card) do
    truth.where[card] = acm98.PLAYED
  end
  truth.points[trick.winner] = truth.points[trick.winner] + trick.points
  table.insert(truth.past, trick)
  truth.trick_number = truth.trick_number + 1
  truth.trick = new_trick(trick.winner, acm98.trick_points(truth.trick_number, {}))
end

function commands.endround()
  if round_ended then return end
  round_ended = true
  for player = 0, 3 do
    truth.total[player] = truth.total[player] + truth.points[player]
  end
  call("end_round")
end

commands.resultoftrick, commands["end"] = commands.result, commands.endround

-- Plays: call this once, as the last line of your file, with a table of your six functions. It reads the commands, one word at
-- a time, and returns when the server has nothing more to say:
--
--     starthand WHO ten-cards twelve-cards             a round begins
--     take  (WHO CARD)x0..3 ME                         take a card from the pool      -> we answer with a card
--     aftertake (WHO CARD)x4                           what everybody took
--     play  (WHO CARD)x0..3 ME                         play a card                    -> we answer with a card
--     result (WHO CARD)x4   or   resultoftrick ...     what everybody played
--     endround              or   end A B C D           the round is over
--
-- Any other word is ignored, and so are superfluous cards and numbers. What aftertake and result say is what counts; our own
-- answer changes nothing by itself.
--
-- None of your functions may take more than 4 seconds. When one has used 10 milliseconds or more of processor time, our next
-- answer says so, as in `dk cpu StartRound 31 TakeCard 512`.
function acm98.run(functions)
  contestant = functions
  call("start_game")
  for word in next_word do
    if commands[word] then commands[word]() end
  end
end

return acm98
