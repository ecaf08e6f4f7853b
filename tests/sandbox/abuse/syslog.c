/* Fill the logs of the machine.
   expect: violation socket AF_UNIX
*/
#define _GNU_SOURCE
#include <syslog.h>

int main(void)
{
    for (;;)
        syslog(LOG_EMERG, "notes");
}
