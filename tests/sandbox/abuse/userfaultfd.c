/* Handle our own page faults.
   expect: violation userfaultfd
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_userfaultfd, 0) + space[0];
}
