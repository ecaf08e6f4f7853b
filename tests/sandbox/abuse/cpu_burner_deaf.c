/* Burn processor time and ignore every signal.
   expect: cpu
   limits: cpu=1
*/
#define _GNU_SOURCE
#include <signal.h>

int main(void)
{
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    for (volatile unsigned long i = 0;; i++)
        ;
}
