use strict;
use List::MoreUtils qw(first_index);

print first_index { $_ eq 'c2' } ('c2');
