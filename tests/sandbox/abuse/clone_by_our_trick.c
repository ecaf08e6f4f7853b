/* Start a process as process 1 does.
   expect: violation clone another process
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
