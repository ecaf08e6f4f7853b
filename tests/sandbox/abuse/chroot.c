/* The old way out.
   expect: violation chroot /box
*/
#define _GNU_SOURCE
#include <unistd.h>

int main(void)
{
    return chroot(".");
}
