/* Leave a daemon in a session of its own behind.
   expect: exit 0
   landlock: violation clone another process
   limits: processes=8
*/
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            close(0), close(1), close(2);
            for (;;)
                sleep(1);
        }
        _exit(0);
    }
    usleep(20000);
    return 0;
}
