<?php
$hand = ["c2", "c3";
echo $hand[0], "\n";
