-- every important construct
--[[ a comment
of two lines ]]
local M = {}
local a, b = 1, "two"
count = 0

local function add(x, ...)
  local sum = x + select("#", ...)
  return sum
end

function M.new(name) return { name = name, [1] = true, 3; 4 } end
function M:greet(other)
  print(self.name .. " greets " .. other.name, [[long
string]])
end

for i = 1, 10, 2 do
  if i > 5 and not b then
    count = count + i
  elseif i == 3 then
    goto continue
  else
    break
  end
  ::continue::
end
for key, value in pairs({ x = 1 }) do M[key] = value end
while count < 3 do count = count + 1 end
repeat
  local done = count ~= 3
until done
do
  local f = function(y) return -y, #"s" end
  f(2)
end
M:greet(M.new "you")
return M, nil, add(a)
