# Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be played.
use strict;
use warnings;

my ($what, @numbers) = map { split } <STDIN>;
if ($what == 0) {
    print "Plain Perl\n";
}
elsif ($what == 1) {
    print "@numbers[0 .. 2]\n";
}
elsif ($what == 2) {
    my ($held, $laid) = splice(@numbers, 0, 3);
    my @hand = splice(@numbers, 0, $held);
    my @table = splice(@numbers, 0, $laid);
    my $calves = grep { /^3/ } splice(@numbers, 0, 4 * (10 - $held));
    my @may = grep { @table ? int($_ / 10) == int($table[0] / 10) : $calves || !/^3/ } @hand;
    print @may ? $may[0] : $hand[0], "\n";
}
