-- Does what it is told on standard input, with its library.
io.stdout:setvbuf("line")
local count = 0

local function answer(done, data)
    count = count + 1
    if done == nil then print("u no such thing in its library") end
    print(string.format("c %d %d", count, done and 0 or -1))
    if data then print("d " .. data:gsub(".", function(it) return string.format("%02x", it:byte()) end)) end
end

local function read(path)
    local file = io.open(path, "rb")
    local data = file and file:read(256)
    answer(data and true or false, data)
end

local deeds = {
    read = read,
    stat = function(path) local file = io.open(path, "rb"); answer(file and true or false) end,
    write = function(path, text)
        local file = io.open(path, "wb")
        answer(file and file:write(text) and file:close() or false)
    end,
    remove = function(path) answer(os.remove(path) or false) end,
    rename = function(from, to) answer(os.rename(from, to) or false) end,
    temporary = function() answer(pcall(io.tmpfile) and io.tmpfile() and true or false) end,
    run = function(path) answer(os.execute(path) or false) end,
    pipe = function(path) answer(pcall(io.popen, path)) end,
    fork = function()
        local fork = package.loadlib("libc.so.6", "fork")
        answer(fork and pcall(fork) or false)
    end,
    load = function(path) answer(package.loadlib(path, "*") and true or false) end,
    environment = function(name) answer(true, os.getenv(name) or "") end,
    memory = function(size)
        local hoard = {}
        for _ = 1, size // 65536 do hoard[#hoard + 1] = string.rep(string.char(#hoard % 256), 65536) end
        answer(#hoard > 0)
    end,
    flood = function(size) for _ = 1, size // 64 do io.write(string.rep("x", 63), "\n") end answer(true) end,
    burn = function(ms) local ends = os.clock() + ms / 1000; while os.clock() < ends do end end,
    hold = function() print("held") io.read("l") end,
}

for line in io.lines() do
    local words = {}
    for word in line:gmatch("%S+") do words[#words + 1] = tonumber(word) or word end
    if words[1] == "e" then break end
    local deed = deeds[words[1]]
    if deed then deed(table.unpack(words, 2)) else answer(nil) end
end
print("end")
