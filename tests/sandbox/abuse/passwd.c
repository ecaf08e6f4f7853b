/* Read a file of the host.
   expect: violation openat /etc/passwd
*/
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    return fopen("/etc/passwd", "r") != NULL;
}
