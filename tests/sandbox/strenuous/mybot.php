<?php
// Works hard: much input, garbage, exceptions, the time, much output.
[$size, $caught] = [0, 0];
while (($piece = fread(STDIN, 65536)) !== false && $piece !== '') {
    $size += strlen($piece);
}
for ($i = 0; $i < 5000; $i++) {
    $garbage = new stdClass();
    $garbage->self = $garbage;
    try {
        throw new RuntimeException('on purpose');
    } catch (RuntimeException $error) {
        $caught++;
    }
}
gc_collect_cycles();
setlocale(LC_ALL, '');
fwrite(STDERR, date('r T') . "\n");
for ($i = 0; $i < 3000; $i++) {
    printf("%063d\n", $i);
}
echo "ok $size\n";
exit($caught === 5000 ? 0 : 2);
