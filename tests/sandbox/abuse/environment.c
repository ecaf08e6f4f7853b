/* Secrets in the environment.
   expect: exit 0
   landlock: exit 0
   prints: PATH=/usr/bin:/bin HOME=/box LC_ALL=C.UTF-8 TZ=UTC
*/
#define _GNU_SOURCE
#include <stdio.h>

extern char **environ;

int main(void)
{
    for (char **it = environ; *it; it++)
        printf("%s ", *it);
    puts("");
    return 0;
}
