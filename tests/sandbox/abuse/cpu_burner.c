/* Burn processor time.
   expect: cpu
   limits: cpu=1
*/
#define _GNU_SOURCE
#include <stdlib.h>

int main(void)
{
    for (volatile unsigned long i = 0;; i++)
        ;
}
