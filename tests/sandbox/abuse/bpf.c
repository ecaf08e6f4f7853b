/* Program the kernel.
   expect: violation bpf
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_bpf, 0, space, 64) + space[0];
}
