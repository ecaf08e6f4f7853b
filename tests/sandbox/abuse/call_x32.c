/* Open a file by the x32 system calls.
   expect: violation system call 1073741826
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    return (int)syscall(0x40000000 + SYS_open, "/etc/passwd", 0);
}
