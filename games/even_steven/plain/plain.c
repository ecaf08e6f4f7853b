/* Speaks the protocol of Even Steven without a kit: plays the first card of its hand that covers, or else the first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int value_of(const char *card)
{
    static const char values[] = "23456789TJQKA";
    return (int)(strchr(values, strlen(card) == 3 ? 'T' : card[0]) - values);
}

int main(void)
{
    char line[256], hand[13][4], word[8];
    int held = 0;

    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%7s", word) != 1 || !strcmp(word, "YOU"))
            continue;
        if (strspn(word, "0123456789") == strlen(word)) {
            const char *rest = line;
            int dealt = atoi(word), used;
            for (held = -1; held < dealt && sscanf(rest, "%7s%n", word, &used) == 1; held++, rest += used)
                if (held >= 0)
                    strcpy(hand[held], word);
        } else {
            int chosen = 0;
            for (int i = held - 1; i >= 0; i--)
                if (value_of(hand[i]) >= value_of(word))
                    chosen = i;
            puts(hand[chosen]);
            fflush(stdout);
            memmove(hand[chosen], hand[chosen + 1], (size_t)(--held - chosen) * sizeof hand[0]);
        }
    }
    return 0;
}
