#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *hand = malloc(100), *copy = hand;
    if (fgets(hand, 100, stdin))
        fputs(hand, stdout);
    free(hand);
    free(copy);
    return 0;
}
