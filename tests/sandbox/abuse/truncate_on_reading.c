/* Empty a file while pretending to read it.
   expect: violation openat /etc/hosts
*/
#define _GNU_SOURCE
#include <fcntl.h>

int main(void)
{
    return open("/etc/hosts", O_RDONLY | O_TRUNC);
}
