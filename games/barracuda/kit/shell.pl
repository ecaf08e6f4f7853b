# An empty player: your strategy goes here. As it stands it plays its highest card and rejects every challenge.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Barracuda;

sub choose_card {
    my ($state, $remaining) = @_;
    return $state->{hand}[0];
}

sub answer_challenge {
    my ($state, $remaining) = @_;
    return 0;
}

# Such as { type => 'trick_won', by => 1, card => 13 }; `by` is $me when it was you.
sub hear_result {
    my ($result, $me) = @_;
}

Barracuda::run(choose_card => \&choose_card, answer_challenge => \&answer_challenge, hear_result => \&hear_result);
