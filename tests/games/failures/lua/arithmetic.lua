local line = io.read()
local count = tonumber(line)
print(count + 1)
