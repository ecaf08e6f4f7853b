/* Type into the referee's terminal.
   expect: exit 25
*/
#define _GNU_SOURCE
#include <errno.h>
#include <sys/ioctl.h>

int main(void)
{
    return ioctl(0, 0x5412 /* TIOCSTI */, "x") < 0 ? errno : 0; /* ENOTTY */
}
