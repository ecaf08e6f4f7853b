/* A filter of our own with a listener of our own.
   expect: violation seccomp
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    return (int)syscall(SYS_seccomp, 1, 8, 0);
}
