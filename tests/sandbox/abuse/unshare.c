/* A user namespace of our own.
   expect: violation unshare
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_unshare, 0x10000000) + space[0];
}
