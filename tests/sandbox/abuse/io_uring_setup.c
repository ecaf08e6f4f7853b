/* Do input and output behind the filter's back.
   expect: violation io_uring_setup
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_io_uring_setup, 8, space) + space[0];
}
