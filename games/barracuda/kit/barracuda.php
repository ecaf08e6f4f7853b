<?php
// A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.
//
//     php random.php HOST PORT [TOKEN]
//
// Your own file calls Barracuda\run with two functions, or three; random.php shows how. A state is an array:
//
//     'hand'             your cards, 1 ... 13, from high to low
//     'card'             the card on the table; the key is missing when there is none
//     'hand_id'          1 for the first hand of a game
//     'game_id'          unique to this game
//     'your_tricks', 'their_tricks'    taken in this hand; 'total_tricks': played in this hand, ties included
//     'your_points', 'their_points'    in this game; ten win it
//     'can_challenge'    whether you may offer a challenge now
//     'in_challenge'     whether a challenge was accepted: this hand decides the game
//     'opponent_id'      the number of the other team
//     'player_number'    0 if you led the game, else 1

declare(strict_types=1);

namespace Barracuda;

/** What $chooseCard returns instead of a card to offer a challenge. */
const CHALLENGE = 0;

/** Seconds between two attempts to connect. The server refuses earlier attempts. */
const WAIT = 5;

/**
 * Play until the server refuses us. Never returns.
 *
 *     $chooseCard(array $state, float $remaining): int         a card of the hand, or CHALLENGE where 'can_challenge' holds
 *     $answerChallenge(array $state, float $remaining): bool   true to accept, false to reject
 *     $hearResult(array $result, int $me): void                the result of a move; $me is your own player number: 0 or 1
 *
 * $remaining is how many seconds are left on your clock for this whole game.
 */
function run(callable $chooseCard, callable $answerChallenge, ?callable $hearResult = null): void
{
    $words = $_SERVER['argv'];
    if (count($words) < 3) {
        fwrite(STDERR, "usage: $words[0] HOST PORT [TOKEN]\n");
        exit(1);
    }
    [, $host, $port] = $words;
    $context = stream_context_create(['socket' => ['tcp_nodelay' => true]]);
    while (true) {
        $server = @stream_socket_client("tcp://$host:$port", $code, $trouble, 60, STREAM_CLIENT_CONNECT, $context);
        if ($server !== false) {
            stream_set_timeout($server, PHP_INT_MAX >> 32);
            if (isset($words[3])) {
                deliver($server, ['type' => 'login', 'token' => $words[3]]);
            }
            while (($message = receive($server)) !== null) {
                handle($server, $message, $chooseCard, $answerChallenge, $hearResult);
            }
            fclose($server);
            $trouble = 'the server has closed it';
        }
        sleep(WAIT); // at home, the end of a match ends us here
        fwrite(STDERR, "no connection: $trouble; trying again\n");
    }
}

function handle($server, array $message, callable $chooseCard, callable $answerChallenge, ?callable $hearResult): void
{
    switch ($message['type']) {
        case 'request':
            $response = respond($message, $chooseCard, $answerChallenge);
            deliver($server, ['type' => 'move', 'request_id' => $message['request_id'], 'response' => $response]);
            break;
        case 'result':
            if ($hearResult !== null) {
                $hearResult($message['result'], $message['your_player_num']);
            }
            break;
        case 'greetings_program':
            fwrite(STDERR, "connected, we are team $message[team_id]\n");
            break;
        case 'error':
            fwrite(STDERR, "the server refuses us: $message[message] (it sees us at $message[seen_host])\n");
            exit(1);
    }
}

function respond(array $message, callable $chooseCard, callable $answerChallenge): array
{
    $state = $message['state'];
    $remaining = (float) $message['remaining'];
    if ($message['request'] === 'challenge_offered') {
        return ['type' => $answerChallenge($state, $remaining) ? 'accept_challenge' : 'reject_challenge'];
    }
    $card = $chooseCard($state, $remaining);
    return $card === CHALLENGE ? ['type' => 'offer_challenge'] : ['type' => 'play_card', 'card' => $card];
}

function deliver($server, array $message): void
{
    $body = json_encode($message);
    @fwrite($server, pack('N', strlen($body)) . $body); // if the server has gone, the next `receive` says so
}

/** The next message, or null when the server has closed the connection. */
function receive($server): ?array
{
    $header = read($server, 4);
    $body = $header === null ? null : read($server, unpack('N', $header)[1]);
    return $body === null ? null : json_decode($body, true);
}

function read($server, int $size): ?string
{
    $data = '';
    while (strlen($data) < $size) {
        $piece = @fread($server, $size - strlen($data));
        if ($piece === false || $piece === '') {
            return null;
        }
        $data .= $piece;
    }
    return $data;
}
