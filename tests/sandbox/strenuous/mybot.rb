# Works hard: much input, garbage, exceptions, the time, much output.
size = caught = 0
while (piece = STDIN.read(65_536))
  size += piece.bytesize
end
5000.times do |i|
  garbage = Array.new(20) { |n| "#{n * i}" }
  begin
    garbage.fetch(20)
  rescue IndexError
    caught += 1
  end
end
GC.start
warn Time.now.localtime.strftime("%c %Z")
3000.times { |i| puts format("%063d", i) }
puts "ok #{size}"
exit(caught == 5000 ? 0 : 2)
