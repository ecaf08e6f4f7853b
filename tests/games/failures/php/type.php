<?php
declare(strict_types=1);

function lowest(array $hand): string {
    return $hand[0];
}

echo lowest("c2"), "\n";
