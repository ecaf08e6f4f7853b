/* Take a descriptor of process 1.
   expect: violation pidfd_open
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    return (int)syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, 1, 0), 3, 0);
}
