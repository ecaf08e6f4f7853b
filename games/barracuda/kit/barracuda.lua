-- A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.
--
--     lua random.lua HOST PORT [TOKEN]
--
-- It needs Lua 5.4 and LuaSocket. Your own file gives `run` a table with two functions, or three; random.lua
-- shows how. A state is a table:
--
--     hand             your cards, 1 ... 13, from high to low
--     card             the card on the table; nil when there is none
--     hand_id          1 for the first hand of a game
--     game_id          unique to this game
--     your_tricks, their_tricks    taken in this hand; total_tricks: played in this hand, ties included
--     your_points, their_points    in this game; ten win it
--     can_challenge    whether you may offer a challenge now
--     in_challenge     whether a challenge was accepted: this hand decides the game
--     opponent_id      the number of the other team
--     player_number    0 if you led the game, else 1

local socket = require "socket"

local barracuda = {
    CHALLENGE = 0, -- what choose_card returns instead of a card to offer a challenge
    WAIT = 5, -- seconds between two attempts to connect; the server refuses earlier attempts
}

local function say(...)
    io.stderr:write(string.format(...), "\n")
end

-- JSON: objects and arrays are tables, null is nil. Each reader returns a value and the place after it.

local value
local ESCAPES = {b = "\b", f = "\f", n = "\n", r = "\r", t = "\t"}
local WORDS = {["true"] = true, ["false"] = false}

local function quoted(text, at)
    local pieces, start = {}, at + 1
    while true do
        local stop = text:find('["\\]', start)
        pieces[#pieces + 1] = text:sub(start, stop - 1)
        if text:sub(stop, stop) == '"' then return table.concat(pieces), stop + 1 end
        local letter = text:sub(stop + 1, stop + 1)
        if letter == "u" then
            pieces[#pieces + 1] = utf8.char(tonumber(text:sub(stop + 2, stop + 5), 16))
            start = stop + 6
        else
            pieces[#pieces + 1] = ESCAPES[letter] or letter
            start = stop + 2
        end
    end
end

local function members(text, at, closing, read)
    local found = {}
    at = text:find("%S", at + 1)
    while text:sub(at, at) ~= closing do
        at = text:find("%S", read(found, at))
        if text:sub(at, at) == "," then at = text:find("%S", at + 1) end
    end
    return found, at + 1
end

function value(text, at)
    at = text:find("%S", at)
    local first = text:sub(at, at)
    if first == "{" then
        return members(text, at, "}", function(found, place)
            local key, after = quoted(text, place)
            found[key], after = value(text, text:find(":", after, true) + 1)
            return after
        end)
    elseif first == "[" then
        return members(text, at, "]", function(found, place)
            local item, after = value(text, place)
            found[#found + 1] = item
            return after
        end)
    elseif first == '"' then
        return quoted(text, at)
    end
    local word = text:match("^[%w.+-]+", at)
    if WORDS[word] ~= nil then return WORDS[word], at + #word end
    return tonumber(word), at + #word
end

-- The connection

local function deliver(server, body)
    return server:send(string.pack(">s4", body))
end

-- The next message; nil and why when there is none.
local function receive(server)
    local header, trouble = server:receive(4)
    if not header then return nil, trouble end
    local body, why = server:receive((string.unpack(">I4", header)))
    if not body then return nil, why end
    return (value(body, 1))
end

local function respond(message, player)
    local state, remaining = message.state, message.remaining
    if message.request == "challenge_offered" then
        return player.answer_challenge(state, remaining) and '"accept_challenge"' or '"reject_challenge"'
    end
    local card = player.choose_card(state, remaining)
    if card == barracuda.CHALLENGE then return '"offer_challenge"' end
    return string.format('"play_card","card":%d', card)
end

-- What to do with a message, by its type.
local HANDLERS = {}

function HANDLERS.request(message, player, server)
    local move = '{"type":"move","request_id":%d,"response":{"type":%s}}'
    deliver(server, move:format(message.request_id, respond(message, player)))
end

function HANDLERS.result(message, player)
    if player.hear_result then player.hear_result(message.result, message.your_player_num) end
end

function HANDLERS.greetings_program(message)
    say("connected, we are team %d", message.team_id)
end

function HANDLERS.error(message)
    say("the server refuses us: %s (it sees us at %s)", message.message, message.seen_host)
    os.exit(1)
end

-- Play until the server refuses us. Never returns.
--
--     choose_card(state, remaining)       a card of state.hand, or CHALLENGE where state.can_challenge holds
--     answer_challenge(state, remaining)  true to accept, false to reject
--     hear_result(result, me)             the result of a move; me is your own player number: 0 or 1
--
-- `remaining` is how many seconds are left on your clock for this whole game.
function barracuda.run(player)
    local host, port, token = table.unpack(arg)
    if not port then
        say("usage: %s HOST PORT [TOKEN]", arg[0])
        os.exit(1)
    end
    while true do
        local server, trouble = socket.connect(host, port)
        if server then
            server:setoption("tcp-nodelay", true)
            if token then deliver(server, string.format('{"type":"login","token":"%s"}', token)) end
            local message
            message, trouble = receive(server)
            while message do
                local handler = HANDLERS[message.type]
                if handler then handler(message, player, server) end
                message, trouble = receive(server)
            end
            server:close()
        end
        socket.sleep(barracuda.WAIT) -- at home, the end of a match ends us here
        say("no connection: %s; trying again", trouble)
    end
end

return barracuda
