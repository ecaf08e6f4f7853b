# random.pl - plays any card of its hand, whether it covers or not. It loses most games that could be won, so improve it.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Steven;

my $game = Steven->new;
while ($game->next_card) {
    my @hand = @{ $game->{hand} };
    my $card = $hand[ rand @hand ];
    $game->debug("$game->{open} is dealt, I play $card");
    $game->play($card);
}
