/* Keep notes on the disk.
   expect: violation openat /box/cheat.txt
*/
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    FILE *notes = fopen("cheat.txt", "w");
    return notes ? fputs("dk", notes) : 1;
}
