#!/usr/bin/perl
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/lib";
use Frames;

my $frames = Frames->new('cuda.contest:9999');
while (my $message = $frames->next) {
    next if $message->{type} ne 'request';
    my @hand = @{ $message->{state}{hand} };
    my $response = { type => 'accept_challenge' };
    if ($message->{request} eq 'request_card') {
        my $strong = grep { $_ >= 12 } @hand;
        $response = $message->{state}{can_challenge} && $strong >= 3
            ? { type => 'offer_challenge' }
            : { type => 'play_card', card => $hand[-1] };
    }
    $frames->say({ type => 'move', request_id => $message->{request_id}, response => $response });
}
