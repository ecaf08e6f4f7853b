/* A path that would hurt a careless logger.
   expect: violation openat /box/%s%n
*/
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    return fopen("%s%n", "r") != NULL;
}
