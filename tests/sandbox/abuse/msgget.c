/* Send messages to another bot.
   expect: violation msgget
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_msgget, 4711, 0600 | 01000) + space[0];
}
