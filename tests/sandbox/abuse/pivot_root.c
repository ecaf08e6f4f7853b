/* Another root.
   expect: violation pivot_root /box
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    return (int)syscall(SYS_pivot_root, ".", ".");
}
