# What an honest bot uses of its library.
require "benchmark"
require "bigdecimal"
require "digest"
require "English"
require "forwardable"
require "json"
require "logger"
require "optparse"
require "ostruct"
require "securerandom"
require "set"
require "stringio"
require "time"
require "timeout"

$stdout.sync = true
Card = Struct.new(:suit, :value) do
  include Comparable
  def <=>(other) = value <=> other.value
end
seen = Hash.new(0)
while (line = $stdin.gets)
  line.split.each { |word| seen[word] += 1 }
end
srand
deck = (0...52).map { |i| Card.new("cdhs"[i % 4], i) }.shuffle
raise "cards" unless deck.max.value == 51 && deck.group_by(&:suit).size == 4 && deck.each_slice(13).to_a.size == 4
raise "json" unless JSON.parse(JSON.generate({ "a" => [1, nil] }))["a"].last.nil?
raise "set" unless Set.new([1, 1]).size == 1 && SecureRandom.random_number(6) < 6 && Random.new.rand < 1
raise "time" unless Time.now.year > 2000 && Time.parse("2020-01-01").year == 2020
raise "clock" unless Process.clock_gettime(Process::CLOCK_MONOTONIC) > 0 && Digest::SHA256.hexdigest("x").size == 64
raise "file" if File.exist?("weights.json") || (File.read("weights.json") rescue nil)
raise "thread" unless Thread.new { 42 }.value == 42 && Timeout.timeout(5) { 7 } == 7
Logger.new($stderr).info(format("%.2f", Math.sqrt(2)))
begin
  raise ArgumentError, "on purpose"
rescue ArgumentError => error
  warn error.full_message(highlight: false)
end
lazy = (1..).lazy.map { |i| i * 2 }.first(3)
GC.start
sleep 0.001
puts "ok" if lazy == [2, 4, 6] && "dk" =~ /\A[cdhs]\w\z/
