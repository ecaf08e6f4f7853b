<?php
// Speaks the protocol of Barracuda without a kit, and knows the server by its name: plays its highest card, and rejects every
// challenge.

$server = fsockopen('cuda.contest', 19999);
while (($header = stream_get_contents($server, 4)) !== false && strlen($header) === 4) {
    $message = json_decode(stream_get_contents($server, unpack('N', $header)[1]), true);
    if ($message['type'] !== 'request') {
        continue;
    }
    $response = ['type' => 'reject_challenge'];
    if ($message['request'] === 'request_card') {
        $response = ['type' => 'play_card', 'card' => $message['state']['hand'][0]];
    }
    $body = json_encode(['type' => 'move', 'request_id' => $message['request_id'], 'response' => $response]);
    fwrite($server, pack('N', strlen($body)) . $body);
}
