# Acm98.pm - what your Tricky Eights contestant may use, and the part that talks to the server. Do not change it: the contest
# puts its own copy beside your file.
#
# You write six functions (shell.pl describes them):
#
#     start_game   start_round   take_card   end_takes   play_card   end_round
#
# The last line of your file hands them to Acm98::run, which reads what the server says, keeps %GAME up to date, calls your
# functions and sends the cards they return.
#
# Two things to remember:
#
# * Print nothing to standard output: it belongs to the server. Debug with `print STDERR` or `warn`; only your team can read
#   that afterwards.
# * %GAME is for reading only. What you change in it is gone before your next function is called, and the server believes no
#   one.
package Acm98;

use strict;
use warnings;
use Exporter 'import';
use Time::HiRes ();

our %GAME;    # everything you know; new_game describes its keys
our @EXPORT = qw(
    NORTH EAST SOUTH WEST CLUBS DIAMONDS HEARTS SPADES JACK QUEEN KING ACE HIDDEN POOL HELD TABLE PLAYED %GAME
    suit face make_card card_name card_from_name player_name legal_cards is_legal would_win count_suit count_higher is_seen
    trick_points next_player random_int
);

# ----------------------------------------------------------------------------------------------------------------------
# Players, suits, faces, cards
# ----------------------------------------------------------------------------------------------------------------------

# Players sit clockwise in this order. The player after $p is ($p + 1) % 4.
use constant { NORTH => 0, EAST => 1, SOUTH => 2, WEST => 3 };

use constant { CLUBS => 0, DIAMONDS => 1, HEARTS => 2, SPADES => 3 };

# Faces are 2 ... 14. The cards between are simply 2 ... 10.
use constant { JACK => 11, QUEEN => 12, KING => 13, ACE => 14 };

# A card is a number 0 ... 51, so that it can be the index of an array: first the clubs from 2 to ace (0 ... 12), then the
# diamonds, the hearts and the spades. suit, face and make_card take it apart and put it together.
sub suit { return int($_[0] / 13) }    # CLUBS ... SPADES
sub face { return $_[0] % 13 + 2 }     # 2 ... ACE
sub make_card { my ($suit, $face) = @_; return $suit * 13 + $face - 2 }    # make_card(HEARTS, 8): the eight of hearts

my @NAMES = map { my $suit = $_; map { $suit . $_ } 2 .. 9, qw(t j q k a) } qw(c d h s);
my %CARDS = map { $NAMES[$_] => $_ } 0 .. 51;
my %PLAYERS = (n => NORTH, e => EAST, s => SOUTH, w => WEST);

sub is_card { return defined $_[0] && $_[0] =~ /^[0-9]+$/ && $_[0] < 52 }

# The name of a card as the server writes it, such as "dk".
sub card_name { return is_card($_[0]) ? $NAMES[ $_[0] ] : '??' }

# The inverse: card_from_name('dk'). undef if it is not a card.
sub card_from_name { return $CARDS{ $_[0] } }

sub player_name { return defined $_[0] ? qw(north east south west) [ $_[0] ] : 'nobody' }

# ----------------------------------------------------------------------------------------------------------------------
# %GAME
# ----------------------------------------------------------------------------------------------------------------------

# Where a card is, as far as you can know: $GAME{where}[$card].
use constant {
    HIDDEN => 'hidden',    # dealt to one of the other players, you do not know to whom
    POOL => 'pool',        # face up in the pool, may still be taken
    HELD => 'held',        # in the hand of player $GAME{owner}[$card]: yours, or taken where everybody saw it
    TABLE => 'table',      # on the table, in the current trick
    PLAYED => 'played',    # went with an earlier trick
};

# One trick, finished or not.
sub new_trick {
    my ($leader, $points) = @_;
    return {
        leader => $leader,          # who played the first card
        count => 0,                 # how many cards it has, 0 ... 4
        card => [ (undef) x 4 ],    # $trick->{card}[$p]: what player p played, or undef. The index is the player.
        winner => undef,            # who wins it as it stands (undef while it is empty)
        points => $points,          # what it is worth as it stands: 1 (first and last trick 3) and 2 for each eight
    };
}

# Everything you know.
sub new_game {
    my ($me, $round, $total) = @_;
    my $dealer = ($round + 3) % 4;
    return (
        me => $me,                   # which player you are: NORTH ... WEST
        round => $round,             # number of the round, from 1
        dealer => $dealer,           # dealer of this round: takes first, and leads the first trick
        total => $total,             # points of all finished rounds. In end_round this round is already in it.
        points => [ (0) x 4 ],       # points made in this round so far

        # Your hand: the cards you hold now, in the order in which you got them. Cards you played are no longer in it.
        hand => [],

        # The takes
        pool => [],                  # the cards left in the pool: during take_card, those you may choose from
        take => [ [], [], [], [] ],  # $GAME{take}[$p]: what player p took so far, in that order

        # The play
        trick_number => 0,           # number of the current trick 1 ... 13; 0 during the takes, 14 in end_round
        trick => new_trick($dealer, 1),    # the current trick: in play_card the cards that were played before you
        past => [],                  # the finished tricks of this round

        # What you know of every card and every player: a card counter's table, kept for you
        where => [ (HIDDEN) x 52 ],  # HIDDEN, POOL, HELD, TABLE or PLAYED
        owner => [ (undef) x 52 ],   # who holds, played or took that card; undef for a card that is HIDDEN or in the POOL
        cards_left => [ (10) x 4 ],  # how many cards player p holds
        is_out => [ map { [ (0) x 4 ] } 0 .. 3 ],    # $GAME{is_out}[$p][$suit]: 1 if p has none left, as it did not follow
    );
}

%GAME = new_game(undef, 0, [ (0) x 4 ]);
my %truth = copy(%GAME);    # what the server told us; %GAME becomes a copy of it before each of your functions is called

# ----------------------------------------------------------------------------------------------------------------------
# Helper routines. None of them changes anything.
# ----------------------------------------------------------------------------------------------------------------------

# The cards you may play now: those of the suit led, if you have any, or else your whole hand. During the takes: the pool.
sub legal_cards { return choices(\%GAME) }

# Whether you may play (during the takes: take) this card now.
sub is_legal { my ($card) = @_; return scalar grep { $_ == $card } legal_cards() }

# Whether this card would be the winning one of the current trick if you played it now.
sub would_win { return beats($GAME{trick}, $_[0]) }

# How many cards of a suit you hold.
sub count_suit { my ($suit) = @_; return scalar grep { suit($_) == $suit } @{ $GAME{hand} } }

# How many cards that beat this one (same suit, higher) may still come from the other players: those that are not yours, not
# played and not on the table. 0: nobody can beat it any more, if its suit is led.
sub count_higher {
    my ($card) = @_;
    my @above = grep { $GAME{where}[$_] !~ /^(played|table)$/ } $card + 1 .. suit($card) * 13 + 12;
    return scalar grep { !defined $GAME{owner}[$_] || $GAME{owner}[$_] != $GAME{me} } @above;
}

# Whether you know where this card is: it was played, is face up, was taken by somebody, or is yours.
sub is_seen { return $GAME{where}[ $_[0] ] ne HIDDEN }

# What trick 1 ... 13 with these cards (undef for an empty place) is worth: 1, or 3 for the first and the last, and 2 for each
# eight.
sub trick_points {
    my ($number, @cards) = @_;
    return ($number == 1 || $number == 13 ? 3 : 1) + 2 * grep { defined && face($_) == 8 } @cards;
}

sub next_player { return ($_[0] + 1) % 4 }

# A random number 0 ... n - 1, evenly distributed. Different in every run, unless the environment variable ACM98_SEED holds a
# number (to debug: the same number gives the same random numbers; it is not set in the contest).
sub random_int { return int rand $_[0] }

srand($ENV{ACM98_SEED}) if defined $ENV{ACM98_SEED};

# ----------------------------------------------------------------------------------------------------------------------
# You need not read beyond this line.
# ----------------------------------------------------------------------------------------------------------------------

sub copy {
    return map { ref eq 'HASH' ? { copy(%$_) } : ref eq 'ARRAY' ? [ copy(@$_) ] : $_ } @_;
}

sub choices {
    my ($game) = @_;
    return @{ $game->{pool} } if $game->{trick_number} == 0;
    my ($trick, @hand) = ($game->{trick}, @{ $game->{hand} });
    return @hand if $trick->{count} == 0;
    my $led = suit($trick->{card}[ $trick->{leader} ]);
    my @following = grep { suit($_) == $led } @hand;
    return @following ? @following : @hand;
}

sub beats {
    my ($trick, $card) = @_;
    return 1 unless defined $trick->{winner};
    my $best = $trick->{card}[ $trick->{winner} ];
    return suit($card) == suit($best) && $card > $best ? 1 : 0;
}

# Run plays: call it once, as the last line of your file. It reads the commands, one word at a time, and returns when the
# server has nothing more to say:
#
#     starthand WHO ten-cards twelve-cards             a round begins
#     take  (WHO CARD)x0..3 ME                         take a card from the pool      -> we answer with a card
#     aftertake (WHO CARD)x4                           what everybody took
#     play  (WHO CARD)x0..3 ME                         play a card                    -> we answer with a card
#     result (WHO CARD)x4   or   resultoftrick ...     what everybody played
#     endround              or   end A B C D           the round is over
#
# Any other word is ignored, and so are superfluous cards and numbers. What aftertake and result say is what counts; our own
# answer changes nothing by itself.
#
# None of your functions may take more than 4 seconds. When one has used 10 milliseconds or more of processor time, our next
# answer says so, as in `dk cpu StartRound 31 TakeCard 512`.
my %contestant;
my %used;    # seconds of processor time since our last answer, by the function
my ($takes_ended, $round_ended) = (0, 1);
my @words;

my %commands = (
    starthand => \&on_starthand,
    take => \&on_take,
    aftertake => \&on_aftertake,
    play => \&on_play,
    result => \&on_result,
    resultoftrick => \&on_result,
    endround => \&on_endround,
    end => \&on_endround,
);

sub run {
    %contestant = @_;
    local $| = 1;
    call('start_game');
    while (1) {
        my $command = $commands{ read_word() };
        $command->() if $command;
    }
}

sub call {
    my ($name) = @_;
    %GAME = copy(%truth);
    my $started = Time::HiRes::clock();
    my $card = $contestant{$name}->();
    $used{$name} += Time::HiRes::clock() - $started;
    return $card;
}

sub answer {
    my ($name, $card) = @_;
    if (!is_card($card)) {
        my $returned = defined $card ? "'$card'" : 'undef';
        print STDERR "acm98: $name returned $returned: a card is a number 0 ... 51\n";
    }
    elsif (!grep { $_ == $card } choices(\%truth)) {
        my $why = (grep { $_ == $card } @{ $truth{hand} }) ? 'does not follow suit' : 'is not in your hand';
        $why = 'is not in the pool' if $name eq 'take_card';
        print STDERR "acm98: $name returned ", card_name($card), ", which $why\n";
    }
    my @report;
    for my $each (qw(start_game start_round take_card end_takes play_card end_round)) {
        my $ms = int(1000 * ($used{$each} || 0));
        push @report, join('', map { ucfirst } split /_/, $each) . " $ms" if $ms >= 10;
    }
    %used = ();
    print join(' ', card_name($card), @report ? ('cpu', @report) : ()), "\n";
}

# Words are separated by blanks and line ends. Lines may have any length. The end of input ends the program.
sub read_word {
    while (!@words) {
        my $line = <STDIN>;
        exit 0 unless defined $line;
        @words = split ' ', $line;
    }
    return shift @words;
}

sub read_card {
    my $word = read_word();
    print STDERR "acm98: \"$word\" is not a card\n" unless defined $CARDS{$word};
    return $CARDS{$word};
}

sub read_player {
    my $word = read_word();
    print STDERR "acm98: \"$word\" is not a player\n" unless defined $PLAYERS{$word};
    return $PLAYERS{$word};
}

# The players and cards of a question, up to our own place. Returns who was first. The commented game on paper shows our answer
# behind it: that is then a word too many.
sub read_others {
    my ($tell) = @_;
    my $first = my $player = read_player();
    while (defined $player && $player != $truth{me}) {
        $tell->($player, read_card());
        $player = read_player();
    }
    return defined $first ? $first : $truth{me};
}

# The four players and cards of a summary. Returns who was first.
sub read_four {
    my ($tell) = @_;
    my @pairs;
    push @pairs, [ read_player(), read_card() ] for 1 .. 4;
    $tell->(@$_) for @pairs;
    return defined $pairs[0][0] ? $pairs[0][0] : $truth{dealer};
}

# Somebody took a card from the pool. Hearing it twice (in a question, then in the summary) changes nothing.
sub tell_take {
    my ($player, $card) = @_;
    return unless defined $player && defined $card && grep { $_ == $card } @{ $truth{pool} };
    $truth{pool} = [ grep { $_ != $card } @{ $truth{pool} } ];
    $truth{where}[$card] = HELD;
    $truth{owner}[$card] = $player;
    push @{ $truth{take}[$player] }, $card;
    $truth{cards_left}[$player]++;
    push @{ $truth{hand} }, $card if $player == $truth{me};
}

# Somebody played a card to the current trick. Hearing it twice changes nothing.
sub tell_play {
    my ($player, $card) = @_;
    my $trick = $truth{trick};
    return if !defined $player || !defined $card || defined $trick->{card}[$player];
    $trick->{leader} = $player if $trick->{count} == 0;
    $trick->{winner} = $player if beats($trick, $card);
    $trick->{card}[$player] = $card;
    $trick->{count}++;
    $trick->{points} += 2 if face($card) == 8;
    my $led = suit($trick->{card}[ $trick->{leader} ]);
    $truth{is_out}[$player][$led] = 1 if suit($card) != $led;
    $truth{where}[$card] = TABLE;
    $truth{owner}[$card] = $player;
    $truth{cards_left}[$player]--;
    $truth{hand} = [ grep { $_ != $card } @{ $truth{hand} } ];
}

sub on_starthand {
    %truth = new_game(read_player(), $truth{round} + 1, $truth{total});
    @{ $truth{hand} } = grep { defined } map { read_card() } 1 .. 10;
    @{ $truth{pool} } = grep { defined } map { read_card() } 1 .. 12;
    $truth{where}[$_] = HELD for @{ $truth{hand} };
    $truth{owner}[$_] = $truth{me} for @{ $truth{hand} };
    $truth{where}[$_] = POOL for @{ $truth{pool} };
    $takes_ended = $round_ended = 0;
    call('start_round');
}

sub on_take {
    $truth{dealer} = read_others(\&tell_take);
    answer('take_card', call('take_card'));
}

sub on_aftertake {
    $truth{dealer} = read_four(\&tell_take);
    end_takes_once() unless @{ $truth{pool} };
}

sub end_takes_once {
    return if $takes_ended;
    $takes_ended = 1;
    $truth{trick_number} = 1;
    $truth{trick} = new_trick($truth{dealer}, 3);
    call('end_takes');
}

sub on_play {
    end_takes_once();    # for a person who types and left out an aftertake
    $truth{trick}{leader} = read_others(\&tell_play);
    answer('play_card', call('play_card'));
}

sub on_result {
    read_four(\&tell_play);
    my $trick = $truth{trick};
    return if !defined $trick->{winner} || $truth{trick_number} < 1 || $truth{trick_number} > 13;
    $truth{where}[$_] = PLAYED for grep { defined } @{ $trick->{card} };
    $truth{points}[ $trick->{winner} ] += $trick->{points};
    push @{ $truth{past} }, $trick;
    $truth{trick_number}++;
    $truth{trick} = new_trick($trick->{winner}, trick_points($truth{trick_number}));
}

sub on_endround {
    return if $round_ended;
    $round_ended = 1;
    $truth{total}[$_] += $truth{points}[$_] for 0 .. 3;
    call('end_round');
}

1;
