/* A thread with a descriptor of itself, whose number would count the processes of the host.
   expect: exit 22
   limits: threads=8
   landlock: exit 11
*/
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

static int idle(void *nothing)
{
    return nothing != 0;
}

int main(void)
{
    int pidfd, flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_PIDFD;
    char *stack = malloc(1 << 16);
    return clone(idle, stack + (1 << 16), flags, NULL, &pidfd) < 0 ? errno : 0;
}
