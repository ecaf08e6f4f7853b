-- steven.lua - talks to the dealer of Even Steven for you. Do not change it: the portal has its own.
--
--     local steven = require "steven"
--
--     local game = steven.start_games()
--     while game:next_card() do
--       game:play(game.hand[1])
--     end
--
-- next_card reads until a card must be covered, and is false when all games are over. You then play a card of game.hand.
-- All of this is optional: a program that reads and writes the lines of rules.md itself is just as good.

local steven = {}

local VALUES = {}
for place, name in ipairs { "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A" } do
  VALUES[name] = place + 1
end

-- A card has these fields; tostring gives its name:
--
--     name     as the dealer writes it, such as "10c"
--     value    2 ... 14: jack 11, queen 12, king 13, ace 14
--     suit     "c", "d", "h", "s": it has no effect on anything
local Card = {}
Card.__tostring = function(card) return card.name end
Card.__eq = function(one, other) return one.name == other.name end

local function card_named(name)
  local value, suit = name:match("^(.+)([cdhs])$")
  return VALUES[value] and setmetatable({ name = name, value = VALUES[value], suit = suit }, Card)
end

-- Whether a card of yours may lie on that dealt card.
function steven.covers(mine, dealt)
  return mine.value >= dealt.value
end

-- For random numbers, math.random(n) gives any of 1 ... n. To repeat a run exactly, set the environment variable
-- STEVEN_SEED to a number.
local seed = tonumber(os.getenv("STEVEN_SEED") or "")
if seed then math.randomseed(math.floor(seed)) end

local Game = {}
Game.__index = Game

-- Call this first. It returns what you know of the game in progress.
function steven.start_games()
  return setmetatable({
    number = 0, -- of this game: 1, 2, 3, ...
    size = 0, -- cards that you were dealt, and that you must cover
    hand = {}, -- the cards that you still hold, in the order of the deal
    open = nil, -- the card that you must cover now
    past = {}, -- all cards dealt so far, in order; the last is the open one
    played = {}, -- what you played on them
    won = 0, -- games so far
    lost = 0,
  }, Game)
end

local function say(line)
  io.write(line, "\n")
  io.flush()
end

local function deal(game, size, names)
  game.number, game.size = game.number + 1, size
  game.hand, game.past, game.played = {}, {}, {}
  for name in names:gmatch("%S+") do
    game.hand[#game.hand + 1] = card_named(name)
  end
end

-- Waits until a card must be covered: game.open. False when all games are over: end your program then.
function Game:next_card()
  for line in io.lines() do
    local word, rest = line:match("(%S+)%s*(.*)")
    word = word or ""
    if word == "YOU" then
      if rest:find("^WIN") then self.won = self.won + 1 end
      if rest:find("^LOSE") then self.lost = self.lost + 1 end
    elseif word:match("^%d+$") then
      deal(self, tonumber(word), rest)
    elseif card_named(word) then
      self.open = card_named(word)
      table.insert(self.past, self.open)
      return true
    end
  end
  return false
end

-- Plays this card on the open one.
function Game:play(card)
  local place = 1
  while self.hand[place] and self.hand[place] ~= card do
    place = place + 1
  end
  if self.hand[place] then
    table.remove(self.hand, place)
  elseif getmetatable(card) == Card then
    io.stderr:write("steven: ", card.name, " is not in your hand\n")
  else
    io.stderr:write("steven: ", tostring(card), ", a ", type(card), ", is not a card of your hand\n")
  end
  table.insert(self.played, card)
  say(tostring(card))
end

-- Writes a line for debugging, as print would: the dealer prints it after a `*`. In the contest, where the program is
-- started without an argument, nothing is written.
function steven.debug(...)
  if not arg[1] then return end
  local words = { "*" }
  for _, word in ipairs { ... } do
    words[#words + 1] = tostring(word)
  end
  say(table.concat(words, " "))
end

return steven
