<?php
$player = null;
echo $player->choose("c2"), "\n";
