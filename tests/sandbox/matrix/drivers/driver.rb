# Makes the system calls that it is told on standard input.
$VERBOSE = nil
STDOUT.sync = true
MEMORY = ("\0" * 65536).b
MEMORY.setbyte(0, 0) # from now on it shares its bytes with no other string
START = [MEMORY].pack("p").unpack1("J")
RESULTS = [0]
times = 1

def value(word)
  case word[0]
  when "m" then START + word[1..].to_i
  when "r"
    number, more = word[1..].split("+")
    result = RESULTS[number.to_i]
    result < 0 ? result : result + more.to_i
  else word.to_i
  end
end

def store(at, data)
  data.each_byte.with_index { |byte, index| MEMORY.setbyte(at + index, byte) }
end

while (line = STDIN.gets)
  op, *words = line.split
  case op
  when nil, "e" then break
  when "w" then store(words[0].to_i, [words[1].to_s].pack("H*"))
  when "p" then store(words[0].to_i, [START + words[1].to_i].pack("q"))
  when "q" then store(words[0].to_i, [RESULTS[words[1].to_i]].pack("q"))
  when "n" then times = words[0].to_i
  when "c"
    arguments = words.map { |word| value(word) }
    result = 0
    begin
      times.times { result = syscall(*arguments) }
    rescue SystemCallError => error
      result = -error.errno
    end
    times = 1
    RESULTS.push(result)
    puts "c #{RESULTS.size - 1} #{result}"
  when "i" then puts "u no machine code"
  when "d" then puts "d " + MEMORY.byteslice(words[0].to_i, words[1].to_i).unpack1("H*")
  when "b"
    ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + words[0].to_f / 1000
    nil while Process.clock_gettime(Process::CLOCK_MONOTONIC) < ends
  when "h"
    puts "held"
    STDIN.gets
  end
end
puts "end"
