/* Start threads until there are no more.
   expect: exit 0
   limits: processes=4 memory=16
   prints: 3 threads
*/
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *idle(void *nothing)
{
    pause();
    return nothing;
}

int main(void)
{
    pthread_t thread;
    int made = 0;
    while (made < 1000 && !pthread_create(&thread, NULL, idle, NULL))
        made++;
    printf("%d threads\n", made);
    return 0;
}
