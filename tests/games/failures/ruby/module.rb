require "nokogiri"

puts Nokogiri::VERSION
