# shell.pl - an empty player of Even Steven, for you to fill in.
#
# Team:
# Strategy in one line:
#
# Read Steven.pm: it describes the keys of cards and of the game, and the helper routines. This shell plays the first card
# of its hand, whatever was dealt. Write choose_card, then try it:
#
#     printf '4 876390176\n4 653723903\n' | python3 kibitz.pyz dealer shell.pl
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Steven;

# Return the card of your hand that you play on $game->{open}: one of @{$game->{hand}}. If none of them covers it, the game
# is lost; play one all the same. Not all games can be won.
sub choose_card {
    my ($game) = @_;
    return $game->{hand}[0];
}

my $game = Steven->new;
while ($game->next_card) {
    my $card = choose_card($game);
    $game->debug("game $game->{number}: $game->{open} is dealt, I play $card");
    $game->play($card);
}
