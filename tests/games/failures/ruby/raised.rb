class Illegal < StandardError; end

def play(card)
  raise Illegal, "#{card} does not follow suit"
end

play("c2")
