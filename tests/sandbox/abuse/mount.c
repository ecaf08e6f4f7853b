/* Mount something writable.
   expect: violation mount /box
*/
#define _GNU_SOURCE
#include <sys/mount.h>

int main(void)
{
    return mount("none", "/box", "tmpfs", 0, "");
}
