/* Measure others.
   expect: violation perf_event_open
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_perf_event_open, space, 0, -1, -1, 0) + space[0];
}
