/* A legal Tricky Eights bot that answers at once with some card of the pool, or some card that follows suit. It relies
 * on the exact form of the lines and does no more than it must, so the time of a game is the referee's. */
#include <string.h>
#include <unistd.h>

static const char *hand[13], *pool[12];
static char cards[66]; /* of this round, as its first line gives them */
static int held, left;

static const char *take_out(const char **from, int *count, int which)
{
    const char *card = from[which];
    from[which] = from[--*count];
    return card;
}

static void gone(const char *card)
{
    for (int i = 0; i < left; i++)
        if (pool[i][0] == card[0] && pool[i][1] == card[1]) {
            take_out(pool, &left, i);
            return;
        }
}

static void answer(const char *card)
{
    char line[3] = {card[0], card[1], '\n'};
    if (write(1, line, 3) != 3)
        _exit(1);
}

static void handle(const char *line, int length)
{
    int choice = 0;
    switch (line[0]) {
    case 's': /* starthand n d9 ... */
        memcpy(cards, line + 12, 65);
        for (held = 0; held < 10; held++)
            hand[held] = cards + 3 * held;
        for (left = 0; left < 12; left++)
            pool[left] = cards + 30 + 3 * left;
        break;
    case 'a': /* aftertake n d5 ... */
        for (int at = 12; at < length; at += 5)
            gone(line + at);
        break;
    case 't': /* take n d5 e */
        for (int at = 7; at + 3 < length; at += 5)
            gone(line + at);
        answer(hand[held++] = take_out(pool, &left, 0));
        break;
    case 'p': /* play n d5 e */
        if (length > 6)
            for (int i = 0; i < held; i++)
                if (hand[i][0] == line[7])
                    choice = i;
        answer(take_out(hand, &held, choice));
        break;
    }
}

int main(void)
{
    static char text[65536];
    ssize_t size = 0, got;
    while ((got = read(0, text + size, sizeof text - (size_t)size)) > 0) {
        char *line = text, *end;
        size += got;
        while (line < text + size && (end = memchr(line, '\n', (size_t)(text + size - line)))) {
            handle(line, (int)(end - line));
            line = end + 1;
        }
        size -= line - text;
        if (size)
            memmove(text, line, (size_t)size);
    }
    return 0;
}
