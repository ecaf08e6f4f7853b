/* Load a kernel module.
   expect: violation init_module
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_init_module, space, 4096, "") + space[0];
}
