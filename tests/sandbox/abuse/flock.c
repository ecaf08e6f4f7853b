/* Signal to another bot by a lock, the other way.
   expect: violation flock
*/
#define _GNU_SOURCE
#include <sys/file.h>

int main(void)
{
    return flock(1, LOCK_EX);
}
