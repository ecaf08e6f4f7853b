-- Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be played.
local numbers = {}
for word in io.read("a"):gmatch("%d+") do
  numbers[#numbers + 1] = math.tointeger(word)
end
if numbers[1] == 0 then
  print("Plain Lua")
elseif numbers[1] == 1 then
  print(numbers[2], numbers[3], numbers[4])
elseif numbers[1] == 2 then
  local held, laid, calves = numbers[2], numbers[3], false
  local first = laid > 0 and numbers[5 + held] // 10
  for place = 5 + held + laid, 4 + held + laid + 4 * (10 - held) do
    calves = calves or numbers[place] // 10 == 3
  end
  local chosen
  for place = 5, 4 + held do
    local digit = numbers[place] // 10
    if not chosen and (first and digit == first or not first and (calves or digit ~= 3)) then chosen = numbers[place] end
  end
  print(chosen or numbers[5])
end
