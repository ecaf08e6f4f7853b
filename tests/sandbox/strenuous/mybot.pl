# Works hard: much input, garbage, exceptions, the time, much output.
use strict;
use warnings;
use POSIX qw(strftime setlocale LC_ALL);

my ($size, $caught, $piece) = (0, 0, "");
while (my $n = read(STDIN, $piece, 65536)) { $size += $n }
for my $i (1 .. 5000) {
    my @garbage = map { { n => $_ } } 1 .. 20;
    eval { die { at => $i } };
    $caught++ if ref $@ && @garbage;
}
setlocale(LC_ALL, "");
print STDERR strftime("%c %Z", localtime), "\n";
printf "%063d\n", $_ for 1 .. 3000;
print "ok $size\n";
exit($caught == 5000 ? 0 : 2);
