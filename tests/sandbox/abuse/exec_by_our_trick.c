/* Exec by the descriptor that only process 1 can have.
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
    syscall(SYS_execveat, 900, "/init", nothing, nothing, AT_EMPTY_PATH);
    return 0;
}
