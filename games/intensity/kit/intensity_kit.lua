-- intensity_kit.lua - what your Intensity player may use, and the part that reads the question. Do not change it: the contest
-- puts its own copy beside your file.
--
-- You write four functions (shell.lua describes them):
--
--     player_name   choose_discards   choose_card   run_unit_tests
--
-- The last line of your file hands them to kit.run, which reads the question, calls the one that is wanted, and prints what it
-- returns. Your program is started again for every question: nothing is left of the question before.
--
-- Print nothing to standard output: it belongs to the answer. Debug with io.stderr:write; only your team can read that
-- afterwards.

local kit = {}

kit.BUFFALO = 47 -- cards are numbers, 10 ... 49

function kit.is_calf(card)
  return card >= 30 and card <= 39
end

-- What a card costs the player who wins its round.
function kit.penalty(card)
  return card == kit.BUFFALO and 7 or kit.is_calf(card) and 1 or 0
end

-- Who wins a round of {position = ..., card = ...}, given in the order of play.
function kit.winner(round)
  local best = round[1]
  for _, play in ipairs(round) do
    if play.card // 10 == best.card // 10 and play.card > best.card then best = play end
  end
  return best.position
end

local function in_turn(first, cards)
  local plays = {}
  for turn, card in ipairs(cards) do
    plays[turn] = { position = (first + turn - 1) % 4, card = card }
  end
  return plays
end

-- Everything you know when a card is due. Lists are in the order of play, hands and discards in increasing order:
--
--     position    your place at the table, 0 ... 3
--     hand
--     table       the cards of this round so far; empty: you lead
--     played      the cards of all rounds before
--     discarded   what you gave to the player on your left, (position + 1) % 4
--     received    what you got from the player on your right
local Question = {}
Question.__index = Question

function kit.new_question(fields)
  local question = { position = 0, hand = {}, table = {}, played = {}, discarded = {}, received = {} }
  for name, value in pairs(fields) do
    question[name] = value
  end
  return setmetatable(question, Question)
end

-- Whether a calf was played in an earlier round, so that calves may be led.
function Question:calf_played()
  for _, card in ipairs(self.played) do
    if kit.is_calf(card) then return true end
  end
  return false
end

-- The cards that you may play, in increasing order.
function Question:legal()
  local first, calves, found = self.table[1], self:calf_played(), {}
  for _, card in ipairs(self.hand) do
    local allowed
    if first then
      allowed = card // 10 == first // 10
    else
      allowed = calves or not kit.is_calf(card)
    end
    if allowed then found[#found + 1] = card end
  end
  return #found > 0 and found or self.hand
end

-- The rounds before this one, each a list of {position = ..., card = ...} in the order of play.
function Question:rounds()
  local found, leader = {}, 0
  for start = 1, #self.played, 4 do
    local round = in_turn(leader, table.move(self.played, start, start + 3, 1, {}))
    found[#found + 1] = round
    leader = kit.winner(round)
  end
  return found
end

-- The cards of this round so far, as {position = ..., card = ...}.
function Question:on_the_table()
  return in_turn(self.position + 4 - #self.table, self.table)
end

-- For random numbers, math.random(n) gives any of 1 ... n: different in every run, unless the environment variable
-- INTENSITY_SEED holds a number.
local seed = math.tointeger(tonumber(os.getenv("INTENSITY_SEED") or ""))
if seed then math.randomseed(seed) end

local function numbers(count)
  local found = {}
  for place = 1, count do
    found[place] = io.read("n") or error("the input ends where a number should be")
  end
  return found
end

-- Answer the question on standard input.
function kit.run(player)
  local what = numbers(1)[1]
  if what == 0 then
    print(player.player_name())
  elseif what == 1 then
    print(table.concat(player.choose_discards(numbers(10)), " "))
  elseif what == 2 then
    local held, lying, position = table.unpack(numbers(3))
    local question = kit.new_question { position = position, hand = numbers(held), table = numbers(lying) }
    question.played = numbers(4 * (10 - held))
    question.discarded = numbers(3)
    question.received = numbers(3)
    print(player.choose_card(question))
  else
    player.run_unit_tests()
  end
end

return kit
