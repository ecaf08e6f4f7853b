/* Share memory with another bot, the POSIX way.
   expect: violation openat /dev/shm/notes
*/
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>

int main(void)
{
    return shm_open("/notes", O_RDWR | O_CREAT, 0666);
}
