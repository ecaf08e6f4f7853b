/* Restart the machine.
   expect: violation reboot
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_reboot, 0xfee1dead, 672274793, 0x1234567, 0) + space[0];
}
