require "set"

# A comment.
module Sample
  LIMIT = 10

  class Shape < Object
    attr_reader :name

    def initialize(name, *rest, size: 1, &block)
      @name = name
      @rest = rest
    end

    def self.make(kind = :circle)
      new(kind)
    end

    def area
      return 1.5 if @name.nil?
      @rest.map { |x| x * 2 }.sum
    end

    private

    def to_s = "#{@name}!"
  end
end

def sum(list, start = 0)
  total = start
  list.each do |value|
    next unless value
    total += value
  end
  for i in 1..3 do total = total + i end
  while total > 100
    total -= 1
    break
  end
  until total.zero? do total -= 1 end
  case total
  when 1, 2 then puts "few"
  else puts "many"
  end
  begin
    raise ArgumentError, "no"
  rescue ArgumentError => e
    puts e.message
  ensure
    puts 'done'
  end
  if !total && start == 1
    nil
  elsif start > 2
    start
  else
    total
  end
end

double = ->(x) { x * 2 }
table = { "a" => 1, b: [true, nil, 2.5] }
a, b = 1, 2
puts sum([1, 2, 3], a), double.call(b), table[:b] ? /x+/ : %w[p q]
