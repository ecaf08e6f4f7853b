-- Speaks the protocol of Barracuda without a kit, and knows the server by its name: plays its highest card, and rejects every
-- challenge.
local socket = require "socket"

local server = assert(socket.connect("cuda.contest", 19999))
server:setoption("tcp-nodelay", true)

local function receive()
    local header = server:receive(4)
    return header and server:receive((string.unpack(">I4", header)))
end

for message in receive do
    local request, number = message:match('"request":"([%w_]+)","request_id":(%d+)')
    if request then
        local response = '"reject_challenge"'
        if request == "request_card" then
            response = '"play_card","card":' .. message:match('"hand":%[(%d+)')
        end
        server:send(string.pack(">s4", '{"type":"move","request_id":' .. number .. ',"response":{"type":' .. response .. '}}'))
    end
end
