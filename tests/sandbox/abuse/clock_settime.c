/* Change the time.
   expect: violation clock_settime
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_clock_settime, 0, space) + space[0];
}
