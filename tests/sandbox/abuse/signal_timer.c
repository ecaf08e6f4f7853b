/* Spare itself the end of its time by other clocks, limits and masks.
   expect: cpu
   limits: cpu=1
*/
#define _GNU_SOURCE
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>

int main(void)
{
    struct itimerval never = {{0, 0}, {0, 0}};
    struct rlimit much = {1000, 1000};
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    for (;;) {
        setitimer(ITIMER_PROF, &never, NULL);
        setitimer(ITIMER_VIRTUAL, &never, NULL);
        setrlimit(RLIMIT_CPU, &much);
    }
}
