/* Write into memory through the file of it, which is no way around what is read-only.
   expect: violation openat /proc/self/mem
*/
#define _GNU_SOURCE
#include <fcntl.h>

int main(void)
{
    return open("/proc/self/mem", O_RDWR);
}
