/* Read data packed into our own program.
   expect: violation openat /box/bot
*/
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    return fopen("bot", "r") != NULL;
}
