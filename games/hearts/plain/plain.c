/* Speaks the protocol of Hearts without a kit: passes the first three cards, and plays the first that may be played. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char hand[13][4];

static char suit_of(const char *card)
{
    return *card ? card[strlen(card) - 1] : ' ';
}

/* The place of the first card that may be played. `led` is the first card of the trick, if there is one. */
static int choose(int trick, const char *led)
{
    int any = 0;

    for (int i = 12; i >= 0; i--)
        if (*hand[i])
            any = i;
    for (int i = 0; i < 13; i++) {
        if (!*hand[i])
            continue;
        if (led ? suit_of(hand[i]) == suit_of(led) : trick ? suit_of(hand[i]) != 'H' : !strcmp(hand[i], "2C"))
            return i;
    }
    return any;
}

int main(void)
{
    char line[256], *words[20];
    int seat = 0;

    while (fgets(line, sizeof line, stdin)) {
        int count = 0;
        for (char *word = strtok(line, " \r\n"); word && count < 20; word = strtok(NULL, " \r\n"))
            words[count++] = word;
        const char *kind = count ? words[0] : "";
        if (!strcmp(kind, "hello")) {
            puts("ready");
        } else if (!strcmp(kind, "game")) {
            seat = atoi(words[5]);
        } else if (!strcmp(kind, "hand")) {
            for (int i = 0; i < 13; i++)
                strcpy(hand[i], words[2 + i]);
        } else if (!strcmp(kind, "pass")) {
            puts("0 1 2");
        } else if (!strcmp(kind, "received")) {
            for (int i = 1; i < 7; i += 2)
                strcpy(hand[atoi(words[i])], words[i + 1]);
        } else if (!strcmp(kind, "play")) {
            printf("%d\n", choose(atoi(words[1]), count > 3 ? words[3] : NULL));
        } else if (!strcmp(kind, "trick")) {
            for (int i = 0; i < 13; i++)
                if (!strcmp(hand[i], words[1 + seat]))
                    *hand[i] = '\0';
        } else if (!strcmp(kind, "end")) {
            puts("done");
        }
        fflush(stdout);
    }
    return 0;
}
