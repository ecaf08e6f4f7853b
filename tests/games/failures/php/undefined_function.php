<?php
function choose($hand) {
    return pick($hand);
}

echo choose(["c2"]), "\n";
