/* Start a process in a user namespace of its own, where processes are allowed.
   expect: violation clone new namespaces
   limits: processes=4
*/
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    return (int)syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
}
