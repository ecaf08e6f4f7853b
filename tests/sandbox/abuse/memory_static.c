/* Static data above the limit, all of it used.
   expect: memory
*/
#define _GNU_SOURCE
#include <string.h>

static char hoard[6 << 20];

int main(int count, char **words)
{
    memset(hoard, count, sizeof hoard);
    return hoard[count] == words[0][0];
}
