<?php
// Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be played.
$numbers = array_map('intval', preg_split('/\s+/', stream_get_contents(STDIN), -1, PREG_SPLIT_NO_EMPTY));
$what = array_shift($numbers);
if ($what === 0) {
    echo "Plain PHP\n";
} elseif ($what === 1) {
    echo implode(' ', array_slice($numbers, 0, 3)), "\n";
} elseif ($what === 2) {
    [$held, $laid] = array_splice($numbers, 0, 3);
    $hand = array_splice($numbers, 0, $held);
    $table = array_splice($numbers, 0, $laid);
    $calves = array_filter(array_slice($numbers, 0, 4 * (10 - $held)), fn ($card) => intdiv($card, 10) === 3);
    $may = array_filter(
        $hand,
        fn ($card) => $table ? intdiv($card, 10) === intdiv($table[0], 10) : $calves || intdiv($card, 10) !== 3
    );
    echo reset($may) ?: $hand[0], "\n";
}
