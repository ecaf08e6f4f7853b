/* Take more than its share: priority, real time, another core.
   expect: exit 0
   prints: -1 -1 -1
*/
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>

int main(void)
{
    cpu_set_t all;
    struct sched_param most = {.sched_priority = 99};
    for (int core = 0; core < CPU_SETSIZE; core++)
        CPU_SET(core, &all);
    printf("%d %d %d\n", setpriority(PRIO_PROCESS, 0, -20), sched_setscheduler(0, SCHED_FIFO, &most),
           sched_setaffinity(0, sizeof all, &all));
    return 0;
}
