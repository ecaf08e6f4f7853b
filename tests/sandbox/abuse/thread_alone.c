/* Think in another thread while the referee waits: one process is one thread, as on a machine that has no more.
   expect: exit 11
*/
#define _GNU_SOURCE
#include <pthread.h>

static void *think(void *nothing)
{
    for (;;)
        ;
    return nothing;
}

int main(void)
{
    pthread_t thread;
    return pthread_create(&thread, NULL, think, NULL); /* EAGAIN */
}
