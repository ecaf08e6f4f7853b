/* Exec by the descriptor that only process 1 can have, then openly.
   expect: violation execveat /init
*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    char *nothing[] = {NULL};
    if (dup2(0, 900) >= 0)
        puts("HAVE 900");
    syscall(SYS_execveat, 900, "", nothing, nothing, AT_EMPTY_PATH);
    syscall(SYS_execveat, AT_FDCWD, "/init", nothing, nothing, 0);
    return 0;
}
