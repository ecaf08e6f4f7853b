/* The call whose arguments a filter cannot see does not exist here.
   expect: exit 38
*/
#define _GNU_SOURCE
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char arguments[88];
    return syscall(SYS_clone3, arguments, sizeof arguments) < 0 ? errno : 0; /* ENOSYS */
}
