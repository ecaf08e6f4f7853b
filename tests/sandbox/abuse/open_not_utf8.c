/* A path that is no text.
   expect: violation openat /box/\\xff\\xfe
*/
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    return fopen("\xff\xfe", "r") != NULL;
}
