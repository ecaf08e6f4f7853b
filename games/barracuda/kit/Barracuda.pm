# A client for the Barracuda contest server: connects, reads requests, sends answers, and connects again.
#
#     perl random.pl HOST PORT [TOKEN]
#
# Your own file calls `Barracuda::run` with three functions; random.pl shows how. A state is a reference to a hash:
#
#     hand             your cards, 1 ... 13, from high to low (a reference to an array)
#     card             the card on the table; the key is missing when there is none
#     hand_id          1 for the first hand of a game
#     game_id          unique to this game
#     your_tricks, their_tricks    taken in this hand; total_tricks: played in this hand, ties included
#     your_points, their_points    in this game; ten win it
#     can_challenge    whether you may offer a challenge now
#     in_challenge     whether a challenge was accepted: this hand decides the game
#     opponent_id      the number of the other team
#     player_number    0 if you led the game, else 1
package Barracuda;

use strict;
use warnings;
use IO::Socket::INET;
use JSON::PP ();
use Socket qw(IPPROTO_TCP TCP_NODELAY);

use constant CHALLENGE => 'offer_challenge';    # what choose_card returns instead of a card to offer a challenge
use constant WAIT => 5;    # seconds between two attempts to connect; the server refuses earlier attempts

my $json = JSON::PP->new->ascii->canonical;

# choose_card => sub ($state, $remaining)       a card of @{$state->{hand}}, or CHALLENGE where can_challenge holds
# answer_challenge => sub ($state, $remaining)  true to accept, false to reject
# hear_result => sub ($result, $me)             the result of a move; $me is your own player number: 0 or 1
# $remaining is how many seconds are left on your clock for this whole game.
sub run {
    my %player = @_;
    die "usage: $0 HOST PORT [TOKEN]\n" unless @ARGV >= 2;
    my ($host, $port, $token) = @ARGV;
    local $SIG{PIPE} = 'IGNORE';
    while (1) {
        my $server = IO::Socket::INET->new(PeerHost => $host, PeerPort => $port, Proto => 'tcp');
        if ($server) {
            setsockopt($server, IPPROTO_TCP, TCP_NODELAY, 1);
            talk($server, $token, \%player);
            close($server);
        }
        sleep(WAIT);    # at home, the end of a match ends us here
        print STDERR "no connection; trying again\n";
    }
}

sub talk {
    my ($server, $token, $player) = @_;
    return if defined $token && !deliver($server, { type => 'login', token => "$token" });
    while (defined(my $message = receive($server))) {
        my $type = $message->{type};
        if ($type eq 'request') {
            my $response = respond($message, $player);
            my $move = { type => 'move', request_id => $message->{request_id}, response => $response };
            return unless deliver($server, $move);
        }
        elsif ($type eq 'result') {
            $player->{hear_result}->($message->{result}, $message->{your_player_num}) if $player->{hear_result};
        }
        elsif ($type eq 'greetings_program') {
            print STDERR "connected, we are team $message->{team_id}\n";
        }
        elsif ($type eq 'error') {
            die "the server refuses us: $message->{message} (it sees us at $message->{seen_host})\n";
        }
    }
}

sub respond {
    my ($message, $player) = @_;
    my ($state, $remaining) = @$message{qw(state remaining)};
    if ($message->{request} eq 'challenge_offered') {
        my $accepts = $player->{answer_challenge}->($state, $remaining);
        return { type => $accepts ? 'accept_challenge' : 'reject_challenge' };
    }
    my $choice = $player->{choose_card}->($state, $remaining);
    return $choice eq CHALLENGE ? { type => CHALLENGE } : { type => 'play_card', card => 0 + $choice };
}

sub deliver {
    my ($server, $message) = @_;
    my $data = pack('N/a*', $json->encode($message));
    while (length $data) {
        my $sent = syswrite($server, $data);
        return 0 unless $sent;
        substr($data, 0, $sent) = '';
    }
    return 1;
}

sub receive {
    my ($server) = @_;
    my $header = read_all($server, 4);
    return unless defined $header;
    my $body = read_all($server, unpack('N', $header));
    return defined $body ? $json->decode($body) : undef;
}

sub read_all {
    my ($server, $size) = @_;
    my $data = '';
    while (length $data < $size) {
        return unless sysread($server, $data, $size - length $data, length $data);
    }
    return $data;
}

1;
