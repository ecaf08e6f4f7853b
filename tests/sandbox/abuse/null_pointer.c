/* A plain crash.
   expect: signal 11
*/
#define _GNU_SOURCE
#include <stddef.h>

int main(void)
{
    return *(volatile int *)NULL;
}
