<?php
// Speaks the protocol of Hearts without a kit: passes the first three cards, and plays the first that may be played.
$hand = [];
$seat = 0;

function choose(array $hand, string $trick, ?string $led): int
{
    $held = array_filter($hand);
    $may = array_filter($held, fn ($card) => $led
        ? substr($card, -1) === substr($led, -1)
        : ($trick === '0' ? $card === '2C' : substr($card, -1) !== 'H'));
    return array_keys($may ?: $held)[0];
}

while (($line = fgets(STDIN)) !== false) {
    $words = explode(' ', trim($line));
    switch ($words[0]) {
        case 'hello':
        case 'end':
            echo "$words[0]\n";
            break;
        case 'game':
            $seat = (int) $words[5];
            break;
        case 'hand':
            $hand = array_slice($words, 2);
            break;
        case 'pass':
            echo "0 1 2\n";
            break;
        case 'received':
            foreach ([1, 3, 5] as $place) {
                $hand[(int) $words[$place]] = $words[$place + 1];
            }
            break;
        case 'play':
            echo choose($hand, $words[1], $words[3] ?? null), "\n";
            break;
        case 'trick':
            $hand = array_map(fn ($card) => $card === $words[1 + $seat] ? '' : $card, $hand);
            break;
    }
}
