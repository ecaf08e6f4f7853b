/* Stop ourselves.
   expect: killed
*/
#define _GNU_SOURCE
#include <signal.h>

int main(void)
{
    for (;;)
        raise(SIGSTOP);
}
