/* Write to the memory of process 1.
   expect: violation process_vm_writev
*/
#define _GNU_SOURCE
#include <sys/uio.h>

int main(void)
{
    char poison[64] = {0};
    struct iovec mine = {poison, 64}, theirs = {(void *)0x400000, 64};
    return (int)process_vm_writev(1, &mine, 1, &theirs, 1, 0);
}
