use strict;
use warnings;

sub choose {
    my ($hand) = @_;
    die "no legal card" unless @$hand;
    return $hand->[0];
}

warn "my hand is empty";
print choose([]), "\n";
