/* A path that is not what it seems.
   expect: violation openat /etc/shadow
*/
#define _GNU_SOURCE
#include <fcntl.h>

int main(void)
{
    return open("/usr/share/zoneinfo/../..//./../etc/hosts/../shadow", O_RDONLY);
}
