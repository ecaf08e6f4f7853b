/* Descriptors that somebody forgot to close.
   expect: exit 0
   prints: 0 besides the three
*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>

int main(void)
{
    int open = 0;
    for (int fd = 3; fd < 70000; fd++)
        open += fcntl(fd, F_GETFD) >= 0;
    printf("%d besides the three\n", open);
    return 0;
}
