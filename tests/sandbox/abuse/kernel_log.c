/* Read the log of the kernel.
   expect: violation syslog
*/
#define _GNU_SOURCE
#include <sys/klog.h>

int main(void)
{
    char log[64];
    return klogctl(3, log, sizeof log);
}
