# Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first.
use strict;
use warnings;

$| = 1;
my %values;
@values{ 2 .. 10, qw(J Q K A) } = 2 .. 14;
my @hand;
while (my $line = <STDIN>) {
    my ($word, @more) = split ' ', $line;
    next if $word eq 'YOU';
    if ($word =~ /^\d+$/) {
        @hand = @more;
        next;
    }
    my ($chosen) = grep { $values{ substr $hand[$_], 0, -1 } >= $values{ substr $word, 0, -1 } } 0 .. $#hand;
    print splice(@hand, $chosen // 0, 1), "\n";
}
