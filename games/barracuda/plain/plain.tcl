# Speaks the protocol of Barracuda without a kit, and knows the server by its name: plays its highest card, and rejects every
# challenge.
set server [socket cuda.contest 19999]
chan configure $server -translation binary -buffering full
while {[binary scan [read $server 4] Iu size]} {
    set message [read $server $size]
    if {![regexp {"request":"(\w+)","request_id":(\d+).*"hand":\[(\d+)} $message all request number card]} continue
    set response [expr {$request eq "request_card" ? "\"play_card\",\"card\":$card" : {"reject_challenge"}}]
    set body "{\"type\":\"move\",\"request_id\":$number,\"response\":{\"type\":$response}}"
    puts -nonewline $server [binary format Ia* [string length $body] $body]
    flush $server
}
