/* Look for what another bot left in shared memory.
   expect: violation openat /dev/shm/notes
*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>

int main(void)
{
    return shm_open("/notes", O_RDONLY, 0);
}
