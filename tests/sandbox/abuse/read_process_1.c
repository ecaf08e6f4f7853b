/* Read the memory of process 1.
   expect: violation process_vm_readv
*/
#define _GNU_SOURCE
#include <sys/uio.h>

int main(void)
{
    char stolen[64];
    struct iovec mine = {stolen, 64}, theirs = {(void *)0x400000, 64};
    return (int)process_vm_readv(1, &mine, 1, &theirs, 1, 0);
}
