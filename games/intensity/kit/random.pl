# random.pl - an Intensity player that follows the rules and otherwise plays at random. It loses to any reasonable player:
# make it a little better, again and again.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use IntensityKit;

sub choose_discards {
    my @hand = @_;
    return map { splice(@hand, rand(@hand), 1) } 1 .. 3;
}

sub choose_card {
    my ($question) = @_;
    my @legal = $question->legal;
    return $legal[rand @legal];
}

# Do not change this.
IntensityKit::run(
    player_name => sub { 'Random in Perl' },
    choose_discards => \&choose_discards,
    choose_card => \&choose_card,
    run_unit_tests => sub { print "no tests\n" },
);
