/* Somebody else's namespace.
   expect: violation setns
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_setns, 0, 0) + space[0];
}
