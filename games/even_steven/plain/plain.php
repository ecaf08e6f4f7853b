<?php
// Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first.

function valueOf(string $card): int
{
    return strpos('23456789TJQKA', strlen($card) === 3 ? 'T' : $card[0]);
}

$hand = [];
while (($line = fgets(STDIN)) !== false) {
    $words = explode(' ', trim($line));
    if ($words[0] === 'YOU') {
        continue;
    }
    if (is_numeric($words[0])) {
        $hand = array_slice($words, 1);
        continue;
    }
    $covering = array_filter($hand, fn ($card) => valueOf($card) >= valueOf($words[0]));
    [$card] = array_splice($hand, array_key_first($covering) ?? 0, 1);
    echo "$card\n";
}
