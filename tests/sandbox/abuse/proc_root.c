/* Leave through the root of process 1.
   expect: violation openat /proc/1/root/etc/shadow
*/
#define _GNU_SOURCE
#include <stdio.h>

int main(void)
{
    return fopen("/proc/1/root/etc/shadow", "r") != NULL;
}
