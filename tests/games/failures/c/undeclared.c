#include <stdio.h>

int main(void)
{
    int cards[13];
    for (int i = 0; i < 13; i++)
        cards[i] = i;
    printf("%d\n", hand[0]);
    return 0;
}
