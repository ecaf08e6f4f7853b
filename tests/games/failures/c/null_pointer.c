#include <stdio.h>

struct hand { int count; };

static struct hand *find(int seat)
{
    return seat > 3 ? (struct hand *)8 : NULL;
}

int main(void)
{
    fprintf(stderr, "looking for a card\n");
    printf("%d\n", find(getchar() + 5)->count);
}
