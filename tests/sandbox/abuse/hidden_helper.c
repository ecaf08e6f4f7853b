/* Think in a helper that shares the memory but is no thread, as process 1 starts bots: its time would be nobody's.
   expect: violation clone another process
   limits: threads=8
*/
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int think(void *nothing)
{
    for (volatile unsigned long i = 0; i < 300000000; i++)
        ;
    return nothing != 0;
}

int main(void)
{
    int pidfd;
    char *stack = malloc(1 << 16);
    if (clone(think, stack + (1 << 16), CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, NULL, &pidfd) > 0)
        puts("THOUGHT FOR NOTHING");
    return 0;
}
