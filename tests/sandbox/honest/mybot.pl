# What an honest bot uses of its library.
use strict;
use warnings;
use utf8;
use Carp;
use Data::Dumper;
use Digest::MD5 qw(md5_hex);
use File::Basename;
use File::Spec;
use Getopt::Long;
use IO::Handle;
use JSON::PP;
use List::Util qw(shuffle sum max first);
use Math::BigInt;
use POSIX qw(floor strftime setlocale LC_ALL);
use Scalar::Util qw(looks_like_number blessed);
use Storable qw(dclone);
use Text::Wrap;
use Time::HiRes qw(time sleep);
use Time::Local;

STDOUT->autoflush(1);
setlocale(LC_ALL, '');
srand;
my %seen;
while (my $line = <STDIN>) {
    chomp $line;
    $seen{$_}++ for split ' ', $line;
}
my @deck = shuffle(0 .. 51);
my $state = dclone({ hand => [@deck[0 .. 9]], sum => sum(@deck) });
my $text = JSON::PP->new->canonical->encode($state);
die 'json' unless decode_json($text)->{sum} == 1326;
die 'time' if strftime('%Y', localtime) < 2000 or time < 1;
die 'number' unless looks_like_number('12') and Math::BigInt->new(12)->bpow(20) > 0 and floor(2.5) == 2;
print STDERR Dumper($state->{sum}), md5_hex('x'), "\n";
carp 'on purpose';
eval { croak 'on purpose' };
die 'there' if -e 'weights.json' or $@ !~ /purpose/;
sleep 0.001;
print "ok\n" if 'dk' =~ /^[cdhs]\w$/ and rand() < 1;
