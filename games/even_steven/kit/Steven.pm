# Steven.pm - talks to the dealer of Even Steven for you. Do not change it: the portal has its own.
#
#     use Steven;
#
#     my $game = Steven->new;
#     while ($game->next_card) {
#         $game->play($game->{hand}[0]);
#     }
#
# next_card reads until a card must be covered, and is false when all games are over. You then play a card of
# @{$game->{hand}}. All of this is optional: a program that reads and writes the lines of rules.md itself is just as good.
package Steven;

use strict;
use warnings;

# A card is a reference to a hash with these keys; as text, it is its name:
#
#     name     as the dealer writes it, such as "10c"
#     value    2 ... 14: jack 11, queen 12, king 13, ace 14
#     suit     "c", "d", "h", "s": it has no effect on anything
package Steven::Card {
    use overload
        '""' => sub { $_[0]{name} },
        'eq' => sub { "$_[0]" eq "$_[1]" },
        'bool' => sub { 1 };

    my %VALUES;
    @VALUES{ 2 .. 10, qw(J Q K A) } = 2 .. 14;

    # The card of that name, or undef if it is not one.
    sub named {
        my ($class, $name) = @_;
        my ($value, $suit) = $name =~ /^(10|[2-9JQKA])([cdhs])$/ or return;
        return bless { name => $name, value => $VALUES{$value}, suit => $suit }, $class;
    }

    # Whether this card may lie on that dealt card.
    sub covers {
        my ($self, $dealt) = @_;
        return $self->{value} >= $dealt->{value};
    }
}

# For random numbers, rand works as always. To repeat a run exactly, set the environment variable STEVEN_SEED to a number.
srand($ENV{STEVEN_SEED}) if defined $ENV{STEVEN_SEED};

# What you know of the game in progress.
sub new {
    my ($class) = @_;
    $| = 1;
    return bless {
        number => 0,     # of this game: 1, 2, 3, ...
        size => 0,       # cards that you were dealt, and that you must cover
        hand => [],      # the cards that you still hold, in the order of the deal
        open => undef,   # the card that you must cover now
        past => [],      # all cards dealt so far, in order; the last is the open one
        played => [],    # what you played on them
        won => 0,        # games so far
        lost => 0,
    }, $class;
}

# Waits until a card must be covered: $game->{open}. False when all games are over: end your program then.
sub next_card {
    my ($self) = @_;
    while (defined(my $line = <STDIN>)) {
        my ($word, @more) = split ' ', $line;
        next unless defined $word;
        if ($word eq 'YOU') {
            $self->{won}++ if "@more" eq 'WIN';
            $self->{lost}++ if "@more" eq 'LOSE';
        }
        elsif ($word =~ /^[0-9]+$/) {
            $self->{number}++;
            $self->{size} = $word;
            $self->{hand} = [map { Steven::Card->named($_) } @more];
            $self->{$_} = [] for qw(past played);
        }
        elsif (my $open = Steven::Card->named($word)) {
            $self->{open} = $open;
            push @{ $self->{past} }, $open;
            return 1;
        }
    }
    return 0;
}

# Plays this card on the open one.
sub play {
    my ($self, $card) = @_;
    my $hand = $self->{hand};
    $card = 'undef' unless defined $card;
    my ($place) = grep { $hand->[$_] eq $card } 0 .. $#$hand;
    if (defined $place) {
        splice @$hand, $place, 1;
    }
    else {
        print STDERR "steven: $card is not in your hand\n";
    }
    push @{ $self->{played} }, $card;
    print "$card\n";
}

# Writes a line for debugging: the dealer prints it after a `*`. In the contest, where the program is started without an
# argument, nothing is written.
sub debug {
    my ($self, @words) = @_;
    print "* @words\n" if @ARGV;
}

1;
