/* A path longer than any path.
   expect: exit 36
*/
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>

static char path[9000];

int main(void)
{
    memset(path, 'a', sizeof path - 1);
    return open(path, O_RDONLY) < 0 ? errno : 0; /* ENAMETOOLONG */
}
