# Mactech98.pm - talks to the referee of Hearts, so you do not have to. Do not change it: the contest runs your player with its own
# copy.
#
# You write the six routines of the Programmer's Challenge of 1998 (shell.pl describes them):
#
#     init_tournament   init_game   select_pass   play_trick   trick_results   hand_results
#
# The last line of your file hands them to Mactech98::run. Arrays come as references; those of four are indexed by seat. A hand has
# 13 cards; where a card was played there is NO_CARD. Arrays are yours to change.
#
# Print nothing to standard output: it belongs to the referee. Debug with print STDERR; only your team can read that afterwards.
# Each millisecond of processor time that your routines use costs a point.
package Mactech98;

use strict;
use warnings;
use Time::HiRes ();

use constant { NO_SUIT => 0, SPADE => 1, HEART => 2, DIAMOND => 3, CLUB => 4 };
use constant { NO_SPOT => 0, JACK => 10, QUEEN => 11, KING => 12, ACE => 13 };    # 1 is the two, as in 1998
use constant { PASS_LEFT => 0, PASS_RIGHT => 1, PASS_ACROSS => 2, NO_PASS => 3 };

my %DIRECTIONS = (left => PASS_LEFT, right => PASS_RIGHT, across => PASS_ACROSS, none => NO_PASS);

# A card is a reference to a hash with the keys suit, spot and name. There is one for each card, so that == compares cards.
use constant NO_CARD => { suit => NO_SUIT, spot => NO_SPOT, name => '--' };
our %CARDS;
for my $suit (SPADE .. CLUB) {
    my $spot = 0;
    for my $face (2 .. 10, qw(J Q K A)) {
        my $name = $face . (qw(- S H D C))[$suit];
        $CARDS{$name} = { suit => $suit, spot => ++$spot, name => $name };
    }
}

# Whether a card costs points: a heart, or the queen of spades.
sub is_point {
    my ($card) = @_;
    return $card->{suit} == HEART || $card == $CARDS{QS};
}

# The indices of the cards that may be played now. $led: the card that was led, NO_CARD when you lead; $points_played: whether a
# point card was played on an earlier trick of this hand.
sub legal_indices {
    my ($hand, $trick_number, $led, $points_played) = @_;
    my @held = grep { $hand->[$_] != NO_CARD } 0 .. $#$hand;
    my @wanted;
    if ($led != NO_CARD) {
        @wanted = grep { $hand->[$_]{suit} == $led->{suit} } @held;
    }
    elsif ($trick_number == 0) {
        @wanted = grep { $hand->[$_] == $CARDS{'2C'} } @held;
    }
    elsif (!$points_played && grep { !is_point($hand->[$_]) } @held) {
        @wanted = grep { $hand->[$_]{suit} != HEART } @held;
    }
    return @wanted ? @wanted : @held;
}

# For random numbers, rand works as always: different in every run, unless the environment variable MACTECH98_SEED holds a number.
srand($ENV{MACTECH98_SEED}) if defined $ENV{MACTECH98_SEED};

my %player;
my (@dealt, @hand);    # as it was dealt; as it is now, with gaps
my $direction = NO_PASS;
my $seat = 0;
my $used = 0;          # seconds of your routines since our last answer

sub call {
    my ($routine, @values) = @_;
    my $started = Time::HiRes::clock();
    my @result = $player{$routine}->(@values);
    $used += Time::HiRes::clock() - $started;
    return @result;
}

sub answer {
    my ($text) = @_;
    printf "%s cpu %.0f\n", $text, 1e9 * $used;
    $used = 0;
    return;
}

sub deal {
    my ($word, @names) = @_;
    $direction = $DIRECTIONS{$word};
    @hand = @dealt = @CARDS{@names};
    call(select_pass => [@dealt], $direction) if $direction == NO_PASS;
    return;
}

sub receive {
    my @pairs = @_;
    while (my ($index, $name) = splice(@pairs, 0, 2)) {
        $hand[$index] = $CARDS{$name};
    }
    return;
}

sub play {
    my ($number, $leader, @names) = @_;
    my @played = (NO_CARD) x 4;
    $played[($leader + $_) % 4] = $CARDS{ $names[$_] } for 0 .. $#names;
    my ($index) = call(play_trick => $number, $leader, [@hand], \@played);
    answer($index);
    return;
}

sub trick {
    my @names = @_;
    my $winner = pop @names;
    my @cards = @CARDS{@names};
    @hand = map { $_ == $cards[$seat] ? NO_CARD : $_ } @hand;
    call(trick_results => \@cards, $winner);
    return;
}

my %hear = (
    hello => sub { answer('ready') },
    tournament => sub { call(init_tournament => @_) },
    game => sub { $seat = pop; call(init_game => [@_], $seat) },
    hand => \&deal,
    pass => sub { answer(join ' ', call(select_pass => [@dealt], $direction)) },
    received => \&receive,
    play => \&play,
    trick => \&trick,
    score => sub { call(hand_results => [@_[0 .. 3]], [@_[4 .. 7]]) },
    end => sub { answer('done') },
);

# Play until there is nothing more to read.
sub run {
    %player = @_;
    local $| = 1;
    while (defined(my $line = <STDIN>)) {
        my ($kind, @words) = split ' ', $line;
        $hear{$kind}->(@words) if defined $kind && $hear{$kind};
    }
    return;
}

1;
