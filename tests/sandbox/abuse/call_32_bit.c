/* Open a file by the system calls of another architecture.
   expect: violation 32-bit system call 5
*/
#define _GNU_SOURCE
#include <unistd.h>

int main(void)
{
    static char path[] = "/etc/passwd";
    int result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(5), "b"(path), "c"(0), "d"(0) : "memory");
    return result;
}
