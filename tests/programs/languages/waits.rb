# SPDX-License-Identifier: MIT
# waits.rb KIND late COUNT: how late each of COUNT waits of 1 ms ends that nothing ends sooner, in ns; then "cpu" and the
# CPU time of a wait, in ns.
# waits.rb KIND results: the results of waits that expire and of those that events end, which are the same in each run.
# KIND: sleep, select, condition.
WARM_UP = 30
ITEMS = 200
MS = 1_000_000

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)

def cpu = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)

# An item is a byte of a pipe.
class ByPipe
  def initialize = (@reader, @writer = IO.pipe)

  def put(item) = @writer.syswrite([item].pack('C'))

  def get(seconds) = IO.select([@reader], nil, nil, seconds) && @reader.readpartial(1).unpack1('C')
end

class ByCondition
  def initialize
    @mutex = Mutex.new
    @some = ConditionVariable.new
    @items = []
  end

  def put(item)
    @mutex.synchronize do
      @items << item
      @some.signal
    end
  end

  # It may return for no reason.
  def get(seconds)
    till = now + seconds * 1000 * MS
    @mutex.synchronize do
      @some.wait(@mutex, (till - now) / 1e9) while @items.empty? && now < till
      @items.shift
    end
  end
end

class BySleep
  def get(seconds) = sleep(seconds) && nil
end

def late(room, count)
  before = cpu
  found = Array.new(WARM_UP + count) do
    began = now
    room.get(0.001)
    now - began - MS
  end
  spent = (cpu - before) / found.size
  puts found.drop(WARM_UP), "cpu #{spent}"
end

def expired(room)
  5.times do
    began = now
    got = room.get(0.004)
    puts "#{got.inspect}, #{now - began < 4 * MS ? 'early' : 'in time'}"
  end
end

def handed_over(room)
  putter = Thread.new do
    ITEMS.times do |item|
      sleep((item * 37 % 21) / 10_000.0)
      room.put(item)
    end
  end
  expected = 0
  early = false
  while expected < ITEMS
    began = now
    item = room.get(expected.zero? ? 60 : 0.001)
    if item.nil?
      early ||= now - began < MS
    else
      puts "#{item} instead of #{expected}" if item != expected
      expected += 1
    end
  end
  putter.join
  puts "#{expected} items, #{early ? 'early' : 'in time'}"
end

room = { 'sleep' => BySleep, 'select' => ByPipe, 'condition' => ByCondition }.fetch(ARGV[0]).new
if ARGV[1] == 'late'
  late(room, ARGV[2].to_i)
else
  expired(room)
  handed_over(room) unless ARGV[0] == 'sleep'
end
