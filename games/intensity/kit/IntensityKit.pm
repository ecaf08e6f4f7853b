# IntensityKit.pm - what your Intensity player may use, and the part that reads the question. Do not change it: the contest
# puts its own copy beside your file.
#
# You write four functions (shell.pl describes them):
#
#     player_name   choose_discards   choose_card   run_unit_tests
#
# The last line of your file hands them to IntensityKit::run, which reads the question, calls the one that is wanted, and
# prints what it returns. Your program is started again for every question: nothing is left of the question before.
#
# Print nothing to standard output: it belongs to the answer. Debug with print STDERR; only your team can read that afterwards.
package IntensityKit;

use strict;
use warnings;

use constant BUFFALO => 47;    # cards are numbers, 10 ... 49

sub is_calf {
    my ($card) = @_;
    return $card >= 30 && $card <= 39;
}

# What a card costs the player who wins its round.
sub penalty {
    my ($card) = @_;
    return $card == BUFFALO ? 7 : is_calf($card) ? 1 : 0;
}

# Who wins a round of [position, card], given in the order of play.
sub winner {
    my @round = @_;
    my $best = $round[0];
    for my $play (@round) {
        $best = $play if int($play->[1] / 10) == int($best->[1] / 10) && $play->[1] > $best->[1];
    }
    return $best->[0];
}

sub in_turn {
    my ($first, @cards) = @_;
    return map { [($first + $_) % 4, $cards[$_]] } 0 .. $#cards;
}

# Everything you know when a card is due: a reference to a hash with these keys. Lists are references to arrays, in the order
# of play, hands and discards in increasing order.
#
#     position    your place at the table, 0 ... 3
#     hand
#     table       the cards of this round so far; empty: you lead
#     played      the cards of all rounds before
#     discarded   what you gave to the player on your left, (position + 1) % 4
#     received    what you got from the player on your right
sub new {
    my ($class, %fields) = @_;
    return bless { position => 0, hand => [], table => [], played => [], discarded => [], received => [], %fields }, $class;
}

# Whether a calf was played in an earlier round, so that calves may be led.
sub calf_played {
    my ($self) = @_;
    return scalar grep { is_calf($_) } @{ $self->{played} };
}

# The cards that you may play, in increasing order.
sub legal {
    my ($self) = @_;
    my ($first) = @{ $self->{table} };
    my $calves = $self->calf_played;
    my @hand = @{ $self->{hand} };
    my @found = grep { defined $first ? int($_ / 10) == int($first / 10) : $calves || !is_calf($_) } @hand;
    return @found ? @found : @hand;
}

# The rounds before this one, each a reference to a list of [position, card] in the order of play.
sub rounds {
    my ($self) = @_;
    my @played = @{ $self->{played} };
    my ($leader, @found) = (0);
    while (my @cards = splice(@played, 0, 4)) {
        push @found, [in_turn($leader, @cards)];
        $leader = winner(@{ $found[-1] });
    }
    return @found;
}

# The cards of this round so far, as [position, card].
sub on_the_table {
    my ($self) = @_;
    my @table = @{ $self->{table} };
    return in_turn($self->{position} + 4 - @table, @table);
}

# For random numbers, rand works as always: different in every run, unless the environment variable INTENSITY_SEED holds a
# number.
srand($ENV{INTENSITY_SEED}) if defined $ENV{INTENSITY_SEED};

# Answer the question on standard input.
sub run {
    my %player = @_;
    my @numbers = map { split } <STDIN>;
    my $what = shift @numbers;
    if ($what == 0) {
        print $player{player_name}->(), "\n";
    }
    elsif ($what == 1) {
        print join(' ', $player{choose_discards}->(@numbers)), "\n";
    }
    elsif ($what == 2) {
        my ($held, $lying, $position) = splice(@numbers, 0, 3);
        my $question = IntensityKit->new(position => $position);
        $question->{hand} = [splice(@numbers, 0, $held)];
        $question->{table} = [splice(@numbers, 0, $lying)];
        $question->{played} = [splice(@numbers, 0, 4 * (10 - $held))];
        $question->{discarded} = [splice(@numbers, 0, 3)];
        $question->{received} = [splice(@numbers, 0, 3)];
        print $player{choose_card}->($question), "\n";
    }
    else {
        $player{run_unit_tests}->();
    }
    return;
}

1;
