/* Keep notes in a key ring.
   expect: violation keyctl
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_keyctl, 0, -3, 0, 0, 0) + space[0];
}
