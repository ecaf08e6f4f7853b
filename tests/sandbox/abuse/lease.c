/* Signal to another bot by a lease on a file that both have.
   expect: exit 0
   prints: refused
*/
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int main(void)
{
    puts(fcntl(0, F_SETLEASE, F_RDLCK) < 0 && fcntl(0, F_NOTIFY, DN_ACCESS) < 0 && errno == EPERM ? "refused" : "LEASED");
    return 0;
}
