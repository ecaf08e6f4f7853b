/* Recursion without an end.
   expect: memory
*/
#define _GNU_SOURCE
#include <stdio.h>

static int deeper(int level)
{
    volatile char frame[1024];
    frame[level % 1024] = (char)level;
    return deeper(level + 1) + frame[0];
}

int main(void)
{
    return deeper(0);
}
