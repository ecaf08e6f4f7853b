/* Flood the debug output.
   expect: killed
*/
#define _GNU_SOURCE
#include <unistd.h>

int main(void)
{
    static char noise[65536];
    for (;;)
        write(2, noise, sizeof noise);
}
