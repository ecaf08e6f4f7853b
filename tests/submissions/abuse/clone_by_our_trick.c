/* Start a process with the flags that the filter keeps open for process 1.
   expect: exit 0
   landlock: violation clone another process
   prints: refused
*/
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    int pidfd;
    long made = syscall(SYS_clone, 0x100 | 0x4000 | 0x1000 | SIGCHLD, 0, &pidfd, 0, 0);
    if (made == 0)
        _exit(0);
    puts(made < 0 ? "refused" : "MADE");
    return 0;
}
