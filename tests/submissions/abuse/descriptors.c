/* Descriptors that somebody forgot to close.
   expect: exit 0
   prints: 0 besides the three
*/
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/stat.h>

int main(void)
{
    struct stat about;
    int open = 0;
    for (int fd = 3; fd < 70000; fd++)
        open += fstat(fd, &about) == 0;
    printf("%d besides the three\n", open);
    return 0;
}
