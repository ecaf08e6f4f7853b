#include <stdio.h>
#include <string.h>

static char hand[16][3], pool[16][3];
static int held, pooled;

static void drop(char cards[][3], int *count, const char *card) {
    for (int i = 0; i < *count; i++)
        if (!strcmp(cards[i], card)) {
            memmove(cards[i], cards[i + 1], (size_t)(--*count - i) * 3);
            return;
        }
}

int main(void) {
    char line[256], copy[256], *words[32];
    while (fgets(line, sizeof line, stdin)) {
        int count = 0;
        strcpy(copy, line);
        for (char *word = strtok(line, " \r\n"); word && count < 32; word = strtok(NULL, " \r\n")) words[count++] = word;
        const char *kind = count ? words[0] : "";
        if (!strcmp(kind, "starthand")) {
            for (held = 0; held < 10; held++) strcpy(hand[held], words[2 + held]);
            for (pooled = 0; pooled + 12 < count; pooled++) strcpy(pool[pooled], words[12 + pooled]);
        } else if (!strcmp(kind, "take") || !strcmp(kind, "aftertake")) {
            for (int i = 2; i < count; i += 2) drop(pool, &pooled, words[i]);
            if (!strcmp(kind, "take")) {
                strcpy(hand[held++], pool[0]);
                drop(pool, &pooled, hand[held - 1]);
                puts(hand[held - 1]);
            }
        } else if (!strcmp(kind, "play")) {
            int chosen = 0;
            for (int i = 0; count > 2 && i < held; i++)
                if (hand[i][0] == words[2][0]) chosen = i;
            char card[3];
            strcpy(card, hand[chosen]);
            drop(hand, &held, card);
            puts(card);
        } else if (strcmp(kind, "result") && strcmp(kind, "endround")) {
            printf("got %s", copy);
        }
        fflush(stdout);
    }
    return 0;
}
