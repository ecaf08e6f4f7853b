/* Keep notes in /tmp, by a crooked path.
   expect: violation openat /tmp/cheat.txt
*/
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    return fopen("/tmp/x/../cheat.txt", "a") != NULL;
}
