package Frames;
use strict;
use warnings;
use IO::Socket::INET;
use JSON::PP;

sub new {
    my ($class, $address) = @_;
    my $socket = IO::Socket::INET->new($address) or die "$address: $@";
    return bless { socket => $socket }, $class;
}

sub next {
    my ($self) = @_;
    read($self->{socket}, my $header, 4) or return;
    read($self->{socket}, my $body, unpack('N', $header));
    return decode_json($body);
}

sub say {
    my ($self, $message) = @_;
    syswrite($self->{socket}, pack('N/a*', encode_json($message)));
}

1;
