/* A path that is no address: an honest error, no accusation.
   expect: exit 14
*/
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>

int main(void)
{
    return open((char *)0, O_RDONLY) < 0 ? errno : 0; /* EFAULT */
}
