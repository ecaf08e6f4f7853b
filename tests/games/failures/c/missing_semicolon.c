#include <stdio.h>

int best(int a, int b)
{
    int c = a > b ? a : b
    return c;
}

int main(void)
{
    printf("%d\n", best(1, 2));
}
