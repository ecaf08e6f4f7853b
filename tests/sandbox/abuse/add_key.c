/* Keep notes in a key ring, the other way.
   expect: violation add_key
*/
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    static char space[4096];
    return (int)syscall(SYS_add_key, "user", "notes", "dk", 2, -3) + space[0];
}
