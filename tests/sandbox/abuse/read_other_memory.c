/* Read the memory of every other process.
   expect: violation process_vm_readv
*/
#define _GNU_SOURCE
#include <sys/uio.h>

int main(void)
{
    char stolen[64];
    struct iovec mine = {stolen, 64}, theirs = {(void *)0x400000, 64};
    for (int pid = 1; pid < 100000; pid++)
        process_vm_readv(pid, &mine, 1, &theirs, 1, 0);
}
