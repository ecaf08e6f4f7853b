/* A failed assertion.
   expect: signal 6
*/
#define _GNU_SOURCE
#include <stdlib.h>

int main(void)
{
    abort();
}
