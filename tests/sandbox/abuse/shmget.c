/* Share memory with another bot.
   expect: violation shmget
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_shmget, 4711, 4096, 0600 | 01000) + space[0];
}
