#include <assert.h>
#include <stdio.h>

static int lowest(int count)
{
    assert(count > 0);
    return 1;
}

int main(void)
{
    printf("%d\n", lowest(0));
}
