/* Rename the machine.
   expect: violation sethostname
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_sethostname, "winner", 6) + space[0];
}
