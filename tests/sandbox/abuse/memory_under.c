/* Touch 3 of 4 MB: no accusation.
   expect: exit 0
*/
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

static char *volatile hoard;

int main(void)
{
    hoard = malloc(3 << 20);
    memset(hoard, 1, 3 << 20);
    return hoard[4096] != 1;
}
