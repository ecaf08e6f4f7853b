use strict;
use warnings;

my @hand = ('c2', 'c3');
print $hnad[0], "\n";
