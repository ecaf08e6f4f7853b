<?php
function play($card) {
    throw new RuntimeException("cannot play $card");
}

play("c2");
