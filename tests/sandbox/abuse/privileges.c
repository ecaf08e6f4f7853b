/* Which privileges do we have?
   expect: exit 0
   landlock: exit 0
   prints: uid 1000 caps 0 0 set -1
*/
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    unsigned head[2] = {0x20080522, 0}, data[6] = {0};
    syscall(SYS_capget, head, data);
    printf("uid %d caps %x %x set %d\n", (int)getuid(), data[0] | data[1] | data[2], data[3] | data[4] | data[5], setuid(0));
    return 0;
}
