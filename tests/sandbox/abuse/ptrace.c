/* Debug process 1.
   expect: violation ptrace
*/
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/ptrace.h>

int main(void)
{
    return (int)ptrace(PTRACE_ATTACH, 1, NULL, NULL);
}
