<?php
$hand = $pool = [];
while (($line = fgets(STDIN)) !== false) {
    $words = explode(' ', trim($line));
    switch ($words[0]) {
        case 'starthand':
            $hand = array_slice($words, 2, 10);
            $pool = array_slice($words, 12);
            break;
        case 'take':
        case 'aftertake':
            $pool = array_values(array_diff($pool, $words));
            if ($words[0] === 'take') {
                $hand[] = array_shift($pool);
                echo end($hand), "\n";
            }
            break;
        case 'play':
            $suited = array_filter($hand, fn($card) => isset($words[2]) && $card[0] === $words[2][0]);
            $card = reset($suited) ?: reset($hand);
            $hand = array_values(array_diff($hand, [$card]));
            echo $card, "\n";
            break;
        case 'result':
        case 'endround':
            break;
        default:
            echo 'got ', $line;
    }
}
