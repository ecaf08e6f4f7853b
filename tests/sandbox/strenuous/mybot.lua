-- Works hard: much input, garbage, errors, the time, much output.
local size, caught = 0, 0
while true do
    local piece = io.read(65536)
    if not piece then break end
    size = size + #piece
end
for i = 1, 5000 do
    local garbage = {}
    for n = 1, 20 do garbage[n] = { n, tostring(n * i) } end
    if not pcall(function() return garbage.nothing.at end) then caught = caught + 1 end
end
collectgarbage()
os.setlocale("")
io.stderr:write(os.date("%c %Z"), "\n")
for i = 1, 3000 do print(string.format("%063d", i)) end
print("ok " .. size)
os.exit(caught == 5000)
