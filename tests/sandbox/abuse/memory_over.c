/* Touch more than the limit of 4 MB.
   expect: memory
*/
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

static char *volatile hoard;

int main(void)
{
    hoard = malloc(5 << 20);
    memset(hoard, 1, 5 << 20);
    return hoard[4096] != 1;
}
