/* Stop every process of the machine, the referee among them.
   expect: exit 0
   landlock: violation kill
   prints: 0 hit
*/
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>

int main(void)
{
    int hit = 0;
    for (int pid = 3; pid < 100000; pid++)
        hit += kill(pid, SIGSTOP) == 0;
    printf("%d hit\n", hit);
    return 0;
}
