/* A file without a folder.
   expect: violation memfd_create
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_memfd_create, "notes", 0) + space[0];
}
