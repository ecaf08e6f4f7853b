# Plays anything that the rules allow. Replace the two choices by your own.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Barracuda;

# A card of the hand, or a challenge where one may be offered.
sub choose_card {
    my ($state, $remaining) = @_;
    return Barracuda::CHALLENGE if $state->{can_challenge} && rand() < 0.05;
    my @hand = @{ $state->{hand} };
    return $hand[ rand @hand ];
}

# Whether to accept the challenge that the other player has offered.
sub answer_challenge {
    my ($state, $remaining) = @_;
    return rand() < 0.5;
}

Barracuda::run(choose_card => \&choose_card, answer_challenge => \&answer_challenge);
