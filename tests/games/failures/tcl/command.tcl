set hand {c2 c3}
puts [pick $hand]
