-- What an honest bot uses of its library.
io.stdout:setvbuf("line")
math.randomseed(os.time(), math.floor(os.clock() * 1e6))
local seen = {}
for line in io.lines() do
    for word in line:gmatch("%S+") do seen[word] = (seen[word] or 0) + 1 end
end
local deck = {}
for i = 1, 52 do deck[i] = i end
for i = 52, 2, -1 do
    local j = math.random(i)
    deck[i], deck[j] = deck[j], deck[i]
end
table.sort(deck, function(a, b) return a > b end)
assert(deck[1] == 52 and #table.concat(deck, " ") > 52 and select("#", table.unpack(deck)) == 52)
local Hand = setmetatable({}, { __call = function(self, ...) return { ... } end })
assert(Hand(1, 2)[2] == 2 and string.format("%05.1f", 3) == "003.0" and utf8.char(9824) == "♠")
local make = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end)
assert(make() == 1 and make() == 2)
assert(not pcall(error, "on purpose") and tonumber("x") == nil and 7 // 2 == 3 and 5 & 4 == 4)
assert(os.date("*t").year > 2000 and os.getenv("PATH") ~= "" and os.difftime(os.time(), 0) > 0)
assert(not pcall(require, "weights"))
collectgarbage()
io.stderr:write(debug.traceback("on purpose"), "\n")
print("ok")
