/* Signal to another bot by a semaphore.
   expect: violation semget
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_semget, 4711, 1, 0600 | 01000) + space[0];
}
