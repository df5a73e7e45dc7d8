class Base
  def put(t)
    @kept = t
  end
end
class Shop < Base
  def sell(count, big)
    done = false
    left = @stock
    left = left - count
    if !done
      log("sold")
    end
    if check(left)
      log("left")
    end
    while check(count)
      log("again")
    end
    @stock = twice(left)
    result = twice(3)
    log(name(result + 1))
    return result
  end
end
def twice(n)
  return 2 * n
end
def log(text)
  printf("%s %d\n", text, 3)
end
def check(n)
  n > 3 && n <= 9
end
def name(n)
  "a" + n
end
