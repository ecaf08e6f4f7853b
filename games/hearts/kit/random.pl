# random.pl - a contestant that follows the rules and otherwise passes and plays at random. It loses to any reasonable player: make
# it a little better, again and again.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Mactech98;

my $points_played = 0;    # a heart or the queen of spades was played on an earlier trick of this hand

sub select_pass {
    my ($dealt_hand, $direction) = @_;
    $points_played = 0;
    my @left = 0 .. 12;
    return map { splice(@left, rand(@left), 1) } 1 .. 3;    # ignored when nothing is passed
}

sub play_trick {
    my ($trick_number, $trick_leader, $your_hand, $cards_played) = @_;
    my @legal = Mactech98::legal_indices($your_hand, $trick_number, $cards_played->[$trick_leader], $points_played);
    return $legal[rand @legal];
}

sub trick_results {
    my ($last_trick, $trick_winner) = @_;
    $points_played ||= grep { Mactech98::is_point($_) } @$last_trick;
    return;
}

# Do not change this.
Mactech98::run(
    init_tournament => sub { },
    init_game => sub { },
    select_pass => \&select_pass,
    play_trick => \&play_trick,
    trick_results => \&trick_results,
    hand_results => sub { },
);
