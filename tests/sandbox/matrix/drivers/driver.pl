# Makes the system calls that it is told on standard input.
use strict;
use warnings;
use Time::HiRes qw(time);

$| = 1;
my $memory = "\0" x 65536;
my $start = unpack("J", pack("p", $memory));
my @results = (0);
my $times = 1;

sub value {
    my $word = shift;
    return $start + substr($word, 1) if $word =~ /^m/;
    return $results[$1] < 0 ? $results[$1] : $results[$1] + ($2 // 0) if $word =~ /^r(\d+)(?:\+(\d+))?/;
    return 0 + $word;
}

while (my $line = <STDIN>) {
    my ($op, @words) = split " ", $line;
    last if !defined $op || $op eq "e";
    if ($op eq "w") {
        my $data = pack("H*", $words[1] // "");
        substr($memory, $words[0], length $data, $data);
    } elsif ($op eq "p" || $op eq "q") {
        my $number = $op eq "p" ? $start + $words[1] : $results[$words[1]];
        substr($memory, $words[0], 8, pack("q", $number));
    } elsif ($op eq "n") {
        $times = $words[0];
    } elsif ($op eq "c") {
        my @arguments = map { value($_) } @words;
        my $result = 0;
        $result = syscall($arguments[0], @arguments[1 .. $#arguments]) for 1 .. $times;
        $times = 1;
        push @results, $result == -1 ? -($! + 0) : $result;
        printf "c %d %d\n", $#results, $results[-1];
    } elsif ($op eq "i") {
        print "u no machine code\n";
    } elsif ($op eq "d") {
        print "d ", unpack("H*", substr($memory, $words[0], $words[1])), "\n";
    } elsif ($op eq "b") {
        my $until = time() + $words[0] / 1000;
        1 while time() < $until;
    } elsif ($op eq "h") {
        print "held\n";
        my $go_on = <STDIN>;
    }
}
print "end\n";
