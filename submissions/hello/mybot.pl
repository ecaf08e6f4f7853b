use strict;
use warnings;

$| = 1;
my (@hand, @pool);
while (my $line = <STDIN>) {
    my ($kind, @words) = split ' ', $line;
    my %shown = map { $_ => 1 } @words;
    if ($kind eq 'starthand') {
        @hand = @words[1 .. 10];
        @pool = @words[11 .. $#words];
    } elsif ($kind eq 'take' or $kind eq 'aftertake') {
        @pool = grep { !$shown{$_} } @pool;
        if ($kind eq 'take') {
            push @hand, shift @pool;
            print "$hand[-1]\n";
        }
    } elsif ($kind eq 'play') {
        my ($card) = grep { @words > 1 && substr($_, 0, 1) eq substr($words[1], 0, 1) } @hand;
        $card //= $hand[0];
        @hand = grep { $_ ne $card } @hand;
        print "$card\n";
    } elsif ($kind ne 'result' and $kind ne 'endround') {
        print "got $line";
    }
}
