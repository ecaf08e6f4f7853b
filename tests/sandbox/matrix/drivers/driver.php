<?php
// Makes the system calls that it is told on standard input, if it can load FFI.
if (!extension_loaded('ffi') && !(function_exists('dl') && @dl('ffi.so'))) {
    echo "u no FFI\nend\n";
    exit;
}
$libc = FFI::cdef('long syscall(long, long, long, long, long, long, long); int *__errno_location(void);');
$memory = FFI::new('unsigned char[65536]');
$start = FFI::cast('long', FFI::addr($memory))->cdata;
$results = [0];
$times = 1;

function value(string $word): int
{
    global $start, $results;
    if ($word[0] === 'm') {
        return $start + (int) substr($word, 1);
    }
    if ($word[0] === 'r') {
        $parts = explode('+', substr($word, 1) . '+0');
        $result = $results[(int) $parts[0]];
        return $result < 0 ? $result : $result + (int) $parts[1];
    }
    return (int) $word;
}
function store(int $at, string $data): void
{
    global $memory;
    for ($index = 0; $index < strlen($data); $index++) {
        $memory[$at + $index] = ord($data[$index]);
    }
}

while (($line = fgets(STDIN)) !== false) {
    $words = preg_split('/ /', trim($line));
    $op = array_shift($words);
    if ($op === '' || $op === 'e') {
        break;
    }
    switch ($op) {
        case 'w': store((int) $words[0], hex2bin($words[1])); break;
        case 'p': store((int) $words[0], pack('q', $start + (int) $words[1])); break;
        case 'q': store((int) $words[0], pack('q', $results[(int) $words[1]])); break;
        case 'n': $times = (int) $words[0]; break;
        case 'c':
            $a = array_pad(array_map('value', $words), 7, 0);
            for (; $times > 0; $times--) {
                $result = $libc->syscall(...$a);
            }
            $times = 1;
            $results[] = $result === -1 ? -$libc->__errno_location()[0] : $result;
            echo 'c ', count($results) - 1, ' ', end($results), "\n";
            break;
        case 'i': echo "u no machine code\n"; break;
        case 'd':
            $text = '';
            for ($at = (int) $words[0]; $at < $words[0] + $words[1]; $at++) {
                $text .= sprintf('%02x', $memory[$at]);
            }
            echo 'd ', $text, "\n";
            break;
        case 'b':
            for ($until = microtime(true) + $words[0] / 1000; microtime(true) < $until;);
            break;
        case 'h': echo "held\n"; fgets(STDIN); break;
    }
}
echo "end\n";
