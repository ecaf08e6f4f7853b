/* Close our output and live on.
   expect: killed
*/
#define _GNU_SOURCE
#include <unistd.h>

int main(void)
{
    close(1);
    close(2);
    for (;;)
        pause();
}
