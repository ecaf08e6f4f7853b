# random.pl - a contestant that follows the rules and otherwise takes and plays at random. It loses to any reasonable player:
# make it a little better, again and again.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Acm98;

sub start_game {
}

sub start_round {
}

sub take_card {
    my @pool = @{ $GAME{pool} };
    return $pool[ random_int(scalar @pool) ];
}

sub end_takes {
}

sub play_card {
    my @legal = legal_cards();
    return $legal[ random_int(scalar @legal) ];
}

sub end_round {
}

# Do not change this.
Acm98::run(
    start_game => \&start_game,
    start_round => \&start_round,
    take_card => \&take_card,
    end_takes => \&end_takes,
    play_card => \&play_card,
    end_round => \&end_round,
);
