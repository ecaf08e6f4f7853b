/* Signal to another bot by a lock.
   expect: exit 0
   prints: refused
*/
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int main(void)
{
    struct flock lock = {.l_type = F_WRLCK};
    puts(fcntl(1, F_SETLK, &lock) < 0 && errno == EPERM ? "refused" : "LOCKED");
    return 0;
}
