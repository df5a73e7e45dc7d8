local stock = 3
local function twice(n) return 2 * n end
function check(n) return n > 3 and n <= 9 end
function name(n) return "a" .. n end
function log(text) print(string.format("%s %d", text, 3)) end
function sell(count, big)
  local done = false
  local left = stock
  left = left - count
  if not done then log("sold") end
  if check(left) then log("left") end
  while check(count) do log("again") end
  stock = twice(left)
  local result = twice(3)
  log(name(result + 1))
  return result
end
