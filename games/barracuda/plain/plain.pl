# Speaks the protocol of Barracuda without a kit, and knows the server by its name: plays its highest card, and rejects every
# challenge.
use strict;
use warnings;
use IO::Socket::INET;
use JSON::PP;

my $server = IO::Socket::INET->new('cuda.contest:19999') or die "no server: $@";
while (read($server, my $header, 4)) {
    read($server, my $body, unpack('N', $header));
    my $message = decode_json($body);
    next if $message->{type} ne 'request';
    my $response = { type => 'reject_challenge' };
    $response = { type => 'play_card', card => $message->{state}{hand}[0] } if $message->{request} eq 'request_card';
    my $move = { type => 'move', request_id => $message->{request_id}, response => $response };
    syswrite($server, pack('N/a*', encode_json($move)));
}
