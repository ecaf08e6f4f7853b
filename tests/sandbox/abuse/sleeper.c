/* Sleep for ever and ignore the end of the input.
   expect: killed
*/
#define _GNU_SOURCE
#include <unistd.h>

int main(void)
{
    for (;;)
        pause();
}
