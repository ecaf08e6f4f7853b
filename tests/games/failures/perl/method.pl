use strict;

my $player;
print $player->choose('c2'), "\n";
