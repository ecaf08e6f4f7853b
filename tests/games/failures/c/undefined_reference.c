#include <stdio.h>

int choose(int count);

int main(void)
{
    printf("%d\n", choose(3));
}
