# probe.pl - plays the commented game of 1998 as south did, and prints %GAME and the helpers' results. Then it scribbles.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Acm98;
use Time::HiRes ();

my @takes = map { card_from_name($_) } qw(h5 ck ha);
my @plays = map { card_from_name($_) } qw(dk h9 ca h2 s8 sq h4 hj c7 st h5 ck ha);
my %places = (HIDDEN, 0, POOL, 1, HELD, 2, TABLE, 3, PLAYED, 4);

sub say { print STDERR "@_\n" }

sub burn {
    my $ending = Time::HiRes::clock() + 0.05;
    while ($ENV{BURN} && Time::HiRes::clock() < $ending) { }
}

sub scribble {
    @{ $_->{card} } = () for $GAME{trick}, @{ $GAME{past} };
    for my $list (grep { ref eq 'ARRAY' } values %GAME) {
        @$_ = () for grep { ref eq 'ARRAY' } @$list;
        @$list = ();
    }
    %GAME = ();
}

Acm98::run(
    start_game => sub {
        say('game', scalar @{ $GAME{hand} });
        scribble();
    },
    start_round => sub {
        burn();
        say('round', $GAME{round}, 'dealer', player_name($GAME{dealer}), 'me', player_name($GAME{me}), 'hand',
            scalar @{ $GAME{hand} }, 'pool', scalar @{ $GAME{pool} }, 'clubs', count_suit(CLUBS));
        scribble();
    },
    take_card => sub {
        scribble();
        return shift @takes;
    },
    end_takes => sub {
        my $hk = make_card(HEARTS, KING);
        say('takes over hand', scalar @{ $GAME{hand} }, 'east', card_name($GAME{take}[EAST][0]), 'where',
            $places{ $GAME{where}[$hk] }, 'owner', player_name($GAME{owner}[$hk]));
        scribble();
    },
    play_card => sub {
        burn();
        my $card = shift @plays;
        my $trick = $GAME{trick};
        say('trick', $GAME{trick_number}, 'leader', player_name($trick->{leader}), 'lie', $trick->{count}, 'worth',
            $trick->{points}, 'legal', scalar(my @legal = legal_cards()), card_name($card), 'ok', is_legal($card), 'wins',
            would_win($card), 'higher', count_higher($card));
        scribble();
        return $card;
    },
    end_round => sub {
        my $last = $GAME{past}[12];
        say('end', @{ $GAME{points} }, 'total', @{ $GAME{total} });
        say('past', player_name($last->{winner}), $last->{points}, 'out', join('', @{ $GAME{is_out}[SOUTH] }), 'left',
            $GAME{cards_left}[WEST], 'seen', is_seen(card_from_name('d2')), 'next', player_name(next_player(WEST)), 'worth',
            trick_points(13, @{ $GAME{past}[4]{card} }));
    },
);
