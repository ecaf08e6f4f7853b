-- mactech98.lua - talks to the referee of Hearts, so you do not have to. Do not change it: the contest runs your player with its
-- own copy.
--
-- You write the six routines of the Programmer's Challenge of 1998 (shell.lua describes them), as functions of a table:
--
--     init_tournament   init_game   select_pass   play_trick   trick_results   hand_results
--
-- The last line of your file hands the table to hearts.run. Seats are 0 ... 3, and so are the indices of tables by seat: cards[0]
-- is the card of seat 0. A hand has the indices 0 ... 12; where a card was played there is NO_CARD. Tables are yours to change.
--
-- Print nothing to standard output: it belongs to the referee. Debug with io.stderr:write; only your team can read that
-- afterwards. Each millisecond of processor time that your routines use costs a point.

local hearts = {}

hearts.NO_SUIT, hearts.SPADE, hearts.HEART, hearts.DIAMOND, hearts.CLUB = 0, 1, 2, 3, 4
hearts.NO_SPOT, hearts.JACK, hearts.QUEEN, hearts.KING, hearts.ACE = 0, 10, 11, 12, 13 -- 1 is the two, as in 1998
hearts.PASS_LEFT, hearts.PASS_RIGHT, hearts.PASS_ACROSS, hearts.NO_PASS = 0, 1, 2, 3

local DIRECTIONS = { left = 0, right = 1, across = 2, none = 3 }
local FACES = { "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A" }

-- A card has a suit and a spot. There is one table for each card, so that == compares cards; tostring gives its name.
local Card = { __tostring = function(card) return card.name end }

hearts.NO_CARD = setmetatable({ suit = 0, spot = 0, name = "--" }, Card)
hearts.CARDS = {}
for suit, letter in ipairs { "S", "H", "D", "C" } do
  for spot, face in ipairs(FACES) do
    hearts.CARDS[face .. letter] = setmetatable({ suit = suit, spot = spot, name = face .. letter }, Card)
  end
end

local NO_CARD, CARDS = hearts.NO_CARD, hearts.CARDS
local TWO_OF_CLUBS, QUEEN_OF_SPADES = CARDS["2C"], CARDS["QS"]

-- Whether a card costs points: a heart, or the queen of spades.
function hearts.is_point(card)
  return card.suit == hearts.HEART or card == QUEEN_OF_SPADES
end

-- A list of the indices of the cards that may be played now. led: the card that was led, NO_CARD when you lead; points_played:
-- whether a point card was played on an earlier trick of this hand.
function hearts.legal_indices(hand, trick_number, led, points_played)
  local follows, others = false, false
  for index = 0, 12 do
    local card = hand[index]
    if card ~= NO_CARD then
      follows = follows or card.suit == led.suit
      others = others or not hearts.is_point(card)
    end
  end
  local found = {}
  for index = 0, 12 do
    local card, legal = hand[index], nil
    if card == NO_CARD then
      legal = false
    elseif led ~= NO_CARD then
      legal = card.suit == led.suit or not follows
    elseif trick_number == 0 then
      legal = card == TWO_OF_CLUBS
    else
      legal = card.suit ~= hearts.HEART or points_played or not others
    end
    if legal then found[#found + 1] = index end
  end
  return found
end

-- For random numbers, math.random(n) gives any of 1 ... n: different in every run, unless the environment variable MACTECH98_SEED
-- holds a number.
local seed = math.tointeger(tonumber(os.getenv("MACTECH98_SEED") or ""))
if seed then math.randomseed(seed) end

local player
local dealt, hand = {}, {} -- as it was dealt; as it is now, with gaps
local direction = hearts.NO_PASS
local seat = 0
local used = 0 -- seconds of your routines since our last answer

local function call(routine, ...)
  local started = os.clock()
  local result = player[routine](...)
  used = used + os.clock() - started
  return result
end

local function answer(text)
  io.write(text, string.format(" cpu %d\n", math.floor(1e9 * used)))
  io.flush()
  used = 0
end

local function copy(cards)
  return table.move(cards, 0, 12, 0, {})
end

local function numbers(words, first, count)
  local found = {}
  for place = 0, count - 1 do
    found[place] = math.tointeger(tonumber(words[first + place]))
  end
  return found
end

local function cards_of(words, first, count)
  local found = {}
  for place = 0, count - 1 do
    found[place] = CARDS[words[first + place]]
  end
  return found
end

local hear = {}

function hear.hello()
  answer("ready")
end

function hear.tournament(words)
  call("init_tournament", math.tointeger(tonumber(words[1])), math.tointeger(tonumber(words[2])))
end

function hear.game(words)
  seat = math.tointeger(tonumber(words[5]))
  call("init_game", numbers(words, 1, 4), seat)
end

function hear.hand(words)
  direction = DIRECTIONS[words[1]]
  dealt = cards_of(words, 2, 13)
  hand = copy(dealt)
  if direction == hearts.NO_PASS then call("select_pass", copy(dealt), direction) end
end

hear["pass"] = function()
  answer(table.concat(call("select_pass", copy(dealt), direction), " "))
end

function hear.received(words)
  for place = 1, 5, 2 do
    hand[math.tointeger(tonumber(words[place]))] = CARDS[words[place + 1]]
  end
end

function hear.play(words)
  local number, leader = math.tointeger(tonumber(words[1])), math.tointeger(tonumber(words[2]))
  local played = { [0] = NO_CARD, NO_CARD, NO_CARD, NO_CARD }
  for place = 3, #words do
    played[(leader + place - 3) % 4] = CARDS[words[place]]
  end
  answer(string.format("%d", call("play_trick", number, leader, copy(hand), played)))
end

function hear.trick(words)
  local cards = cards_of(words, 1, 4)
  for index = 0, 12 do
    if hand[index] == cards[seat] then hand[index] = NO_CARD end
  end
  call("trick_results", cards, math.tointeger(tonumber(words[5])))
end

function hear.score(words)
  call("hand_results", numbers(words, 1, 4), numbers(words, 5, 4))
end

hear["end"] = function()
  answer("done")
end

-- Play until there is nothing more to read.
function hearts.run(routines)
  player = routines
  for line in io.lines() do
    local words = {}
    for word in line:gmatch("%S+") do
      words[#words + 1] = word
    end
    local handler = words[1] and hear[table.remove(words, 1)]
    if handler then handler(words) end
  end
end

return hearts
