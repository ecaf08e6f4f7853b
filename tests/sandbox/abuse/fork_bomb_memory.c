/* Fork and eat memory.
   expect: memory
   landlock: violation clone another process
   limits: processes=16 memory=8
*/
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    for (;;) {
        fork();
        memset(malloc(1 << 20), 1, 1 << 20);
    }
}
