/* Raise our own limits.
   expect: exit 0
   prints: refused
*/
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>

int main(void)
{
    struct rlimit more = {1 << 20, 1 << 20};
    puts(setrlimit(RLIMIT_NOFILE, &more) < 0 ? "refused" : "RAISED");
    return 0;
}
