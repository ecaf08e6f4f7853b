<?php
// What an honest bot uses of its library.
declare(strict_types=1);

final class Card implements JsonSerializable
{
    public function __construct(public readonly string $suit, public readonly int $value) {}
    public function jsonSerialize(): array { return ['suit' => $this->suit, 'value' => $this->value]; }
}

set_error_handler(fn (int $level, string $text) => throw new ErrorException($text));
mt_srand();
date_default_timezone_set('UTC');
setlocale(LC_ALL, '');
$seen = [];
while (($line = fgets(STDIN)) !== false)
    foreach (preg_split('/\s+/', trim($line)) as $word) $seen[$word] = ($seen[$word] ?? 0) + 1;
$deck = array_map(fn (int $i) => new Card('cdhs'[$i % 4], $i), range(0, 51));
shuffle($deck);
usort($deck, fn (Card $a, Card $b) => $a->value <=> $b->value);
$text = json_encode(array_slice($deck, 0, 3), JSON_THROW_ON_ERROR);
if (json_decode($text, true, 9, JSON_THROW_ON_ERROR)[0]['value'] !== 0 || random_int(1, 6) > 6) exit(2);
if (!preg_match('/^[cdhs]\w$/', 'dk') || strlen(bin2hex(random_bytes(4))) !== 8 || hash('sha256', 'x') === '') exit(3);
if (file_exists('weights.json') || hrtime(true) < 1 || (int) date('Y') < 2000 || microtime(true) < 1) exit(4);
if ((new DateTimeImmutable())->getTimestamp() < 1 || memory_get_usage() < 1 || sprintf('%.2f', sqrt(2)) !== '1.41') exit(5);
$heap = new SplPriorityQueue();
$heap->insert('a', 1);
$make = (function () { yield 1; yield 2; })();
usleep(1000);
try {
    throw new RuntimeException('on purpose');
} catch (RuntimeException $error) {
    fwrite(STDERR, $error->getTraceAsString() . "\n");
}
gc_collect_cycles();
echo "ok\n";
