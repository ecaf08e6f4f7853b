/* Speaks the protocol of Intensity without a kit: discards the first three cards, and plays the first that may be
 * played. */
#include <stdio.h>

int main(void)
{
    int numbers[64], count = 0;

    while (count < 64 && scanf("%d", &numbers[count]) == 1)
        count++;
    if (!count || numbers[0] == 0) {
        puts("Plain C");
    } else if (numbers[0] == 1) {
        printf("%d %d %d\n", numbers[1], numbers[2], numbers[3]);
    } else if (numbers[0] == 2) {
        int held = numbers[1], laid = numbers[2], calves = 0, chosen = -1;
        const int *hand = numbers + 4, *table = hand + held, *past = table + laid;
        for (int i = 0; i < 4 * (10 - held); i++)
            calves = calves || past[i] / 10 == 3;
        for (int i = held - 1; i >= 0; i--)
            if (laid ? hand[i] / 10 == table[0] / 10 : calves || hand[i] / 10 != 3)
                chosen = hand[i];
        printf("%d\n", chosen < 0 ? hand[0] : chosen);
    }
    return 0;
}
