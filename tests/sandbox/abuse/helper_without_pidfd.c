/* The same with the flags of vfork, which C libraries use to start programs.
   expect: violation clone another process
   limits: threads=8
*/
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

static int think(void *nothing)
{
    return nothing != 0;
}

int main(void)
{
    char *stack = malloc(1 << 16);
    return clone(think, stack + (1 << 16), CLONE_VM | CLONE_VFORK | SIGCHLD, NULL) < 0;
}
