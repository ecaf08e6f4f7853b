/* Become a shell.
   expect: violation execve /bin/sh
*/
#define _GNU_SOURCE
#include <unistd.h>

int main(void)
{
    return execl("/bin/sh", "sh", "-c", "id", (char *)0);
}
