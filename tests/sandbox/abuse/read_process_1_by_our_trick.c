/* Read the memory of process 1 as process 1 reads that of others, from an address that it might use.
   expect: violation process_vm_readv
*/
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <sys/uio.h>

int main(void)
{
    char stolen[64];
    struct iovec *both = mmap((void *)0x4b6962697000, 4096, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    both[0] = (struct iovec){stolen, 64};
    both[1] = (struct iovec){(void *)0x400000, 64};
    puts(process_vm_readv(1, both, 1, both + 1, 1, 0) < 0 ? "not readable" : "READ");
    return 0;
}
