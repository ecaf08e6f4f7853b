<?php
require "cards.php";

echo choose([]), "\n";
